/** The TARS node agent runs beside each program and listens on this port. */
export const NODE_SERVANT = { name: 'NodeObj', port: 19385 } as const
/** The agent listens here on loopback alone, so only hostNetwork can conflict with it. */
export const NODE_LOOPBACK_PORT = 19386

/** The volumes that the controller adds, with their mount paths. */
export const TIMEZONE = { name: 'host-timezone', path: '/etc/localtime' } as const
export const WORK_DIR = { name: 'tarsnode-work-dir', path: '/usr/local/app/tars/tarsnode' } as const
/** The claim that upstream's controller adds to bind pods to nodes. It is left where it stands (MP-24). */
export const DELAY_BIND = 'delay-bind'
