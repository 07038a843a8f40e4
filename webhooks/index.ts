import type { Kind } from './kit/admission.ts'
import { guards } from './tars/guards/kind.ts'
import { taccount } from './tars/taccount/kind.ts'
import { tconfig } from './tars/tconfig/kind.ts'
import { tdeploy } from './tars/tdeploy/kind.ts'
import { tendpoint } from './tars/tendpoint/kind.ts'
import { texitedrecord } from './tars/texitedrecord/kind.ts'
import { tframeworkconfig } from './tars/tframeworkconfig/kind.ts'
import { timage } from './tars/timage/kind.ts'
import { tserver } from './tars/tserver/kind.ts'
import { tserverScale } from './tars/tserver/scale.ts'
import { ttemplate } from './tars/ttemplate/kind.ts'
import { ttree } from './tars/ttree/kind.ts'

/** All kinds, and the only list of them. */
export const kinds: readonly Kind[] = [
  ttemplate,
  taccount,
  tconfig,
  tdeploy,
  tendpoint,
  texitedrecord,
  tframeworkconfig,
  timage,
  tserver,
  tserverScale,
  ttree,
  ...guards,
]
