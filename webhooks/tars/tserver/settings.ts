import { choice, flag, list, setting, text } from '../../kit/schema.ts'

export const MOUNT_HOST_TIMEZONE = setting(
  'mountHostTimezone',
  flag({ doc: 'mount /etc/localtime of the node into the pods of TServers', default: true }),
)
export const LOCAL_VOLUME_STORAGE_CLASS = setting(
  'localVolumeStorageClass',
  text({
    doc: 'StorageClass of the claims of a tLocalVolume',
    default: 'tars-storage-class',
    minLength: 1,
    maxLength: 253,
  }),
)
/** The defaults are guessed from the names of upstream's programs (WK-14). */
export const ADOPT_MANAGERS = setting(
  'adoptManagers',
  list(text({ minLength: 1, maxLength: 128, doc: 'name of a field manager' }), {
    maxItems: 16,
    default: ['tarscontroller', 'tars-controller', 'tars-controller-manager'],
    doc: 'field managers of an earlier controller, whose fields the worker takes over with its first apply',
  }),
)
export const REMOVED_VOLUME_POLICY = setting(
  'removedVolumePolicy',
  choice(['Retain', 'Delete'], {
    doc: 'what becomes of the claims of a tLocalVolume that was removed from its TServer, with their data',
    default: 'Retain',
  }),
)
