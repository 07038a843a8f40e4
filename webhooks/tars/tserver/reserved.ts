/** The node agent of TARS runs beside each program, and listens there. */
export const NODE_SERVANT = { name: 'NodeObj', port: 19385 } as const
/** On loopback alone, so it is in the way of hostNetwork at most. */
export const NODE_LOOPBACK_PORT = 19_386

export const READINESS_GATE = 'tars.io/active'

/** Volumes that the controller adds, and where it mounts them. */
export const TIMEZONE = { name: 'host-timezone', path: '/etc/localtime' } as const
export const WORK_DIR = { name: 'tarsnode-work-dir', path: '/usr/local/app/tars/tarsnode' } as const
