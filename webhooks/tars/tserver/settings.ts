import { flag, setting, text } from '../../kit/schema.ts'

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
