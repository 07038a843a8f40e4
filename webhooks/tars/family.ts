import type { Family } from '../kit/controller.ts'
import { guards } from './guards/kind.ts'
import { nodeController } from './node/reconcile.ts'
import { LABEL_NODES } from './node/settings.ts'
import { taccount } from './taccount/kind.ts'
import { taccountController } from './taccount/reconcile.ts'
import { BCRYPT_COST, DROP_EXPIRED_TOKENS } from './taccount/settings.ts'
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
import { timageController } from './timage/reconcile.ts'
import { ENFORCE_RELEASE_LIMIT, FAIL_OVERTIME_BUILDS } from './timage/settings.ts'
import { tserver } from './tserver/kind.ts'
import { tserverClaimsController } from './tserver/reconcile/claims.ts'
import { tserverController } from './tserver/reconcile/reconcile.ts'
import { tserverScale } from './tserver/scale.ts'
import {
  ADOPT_MANAGERS,
  LOCAL_VOLUME_STORAGE_CLASS,
  MOUNT_HOST_TIMEZONE,
  REMOVED_VOLUME_POLICY,
} from './tserver/settings.ts'
import { ttemplate } from './ttemplate/kind.ts'
import { ttree } from './ttree/kind.ts'
import { ttreeController } from './ttree/reconcile.ts'
import { CREATE_TREE } from './ttree/settings.ts'

export const tars: Family = {
  name: 'tars',
  category: 'tars',
  kinds: (_, running) => [
    ttemplate,
    taccount,
    tconfig,
    tdeploy,
    tendpoint,
    texitedrecord,
    tframeworkconfig,
    timage,
    tserver(running),
    tserverScale,
    ttree,
    ...guards,
  ],
  controllers: (_, settings) => [
    ttreeController,
    tserverController,
    tserverClaimsController(settings),
    tconfigController,
    tdeployController,
    tendpointController,
    texitedrecordController,
    ...(settings.get(DROP_EXPIRED_TOKENS) ? [taccountController] : []),
    ...(settings.get(FAIL_OVERTIME_BUILDS) ? [timageController] : []),
    ...(settings.get(LABEL_NODES) ? [nodeController] : []),
  ],
  settings: [
    BCRYPT_COST,
    ENFORCE_RELEASE_LIMIT,
    DELETION_GUARD_SECONDS,
    MOUNT_HOST_TIMEZONE,
    LOCAL_VOLUME_STORAGE_CLASS,
    REMOVED_VOLUME_POLICY,
    CREATE_TREE,
    ADOPT_MANAGERS,
    DROP_EXPIRED_TOKENS,
    FAIL_OVERTIME_BUILDS,
    LABEL_NODES,
  ],
}
