import type { Family } from '../kit/controller.ts'
import { guards } from './guards/kind.ts'
import { taccount } from './taccount/kind.ts'
import { BCRYPT_COST } from './taccount/settings.ts'
import { tconfig } from './tconfig/kind.ts'
import { tconfigController } from './tconfig/reconcile.ts'
import { DELETION_GUARD_SECONDS } from './tconfig/settings.ts'
import { tdeploy } from './tdeploy/kind.ts'
import { tdeployController } from './tdeploy/reconcile.ts'
import { tendpoint } from './tendpoint/kind.ts'
import { tendpointController } from './tendpoint/reconcile.ts'
import { texitedrecord } from './texitedrecord/kind.ts'
import { texitedrecordController } from './texitedrecord/reconcile.ts'
import { tframeworkconfig } from './tframeworkconfig/kind.ts'
import { timage } from './timage/kind.ts'
import { ENFORCE_RELEASE_LIMIT } from './timage/settings.ts'
import { tserver } from './tserver/kind.ts'
import { tserverController } from './tserver/reconcile/reconcile.ts'
import { tserverScale } from './tserver/scale.ts'
import { ADOPT_MANAGERS, LOCAL_VOLUME_STORAGE_CLASS, MOUNT_HOST_TIMEZONE } from './tserver/settings.ts'
import { ttemplate } from './ttemplate/kind.ts'
import { ttree } from './ttree/kind.ts'
import { ttreeController } from './ttree/reconcile.ts'
import { CREATE_TREE } from './ttree/settings.ts'

export const tars: Family = {
  name: 'tars',
  category: 'tars',
  kinds: [
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
  ],
  controllers: () => [
    ttreeController,
    tserverController,
    tconfigController,
    tdeployController,
    tendpointController,
    texitedrecordController,
  ],
  settings: [
    BCRYPT_COST,
    ENFORCE_RELEASE_LIMIT,
    DELETION_GUARD_SECONDS,
    MOUNT_HOST_TIMEZONE,
    LOCAL_VOLUME_STORAGE_CLASS,
    CREATE_TREE,
    ADOPT_MANAGERS,
  ],
}
