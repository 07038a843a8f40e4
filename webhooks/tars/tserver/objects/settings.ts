import { flag, setting, text } from '../../../kit/schema.ts'

// The worker brings the flags of these settings. Until then each has its default.
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
