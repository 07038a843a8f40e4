/** What the file system is asked and told. Paths are absolute. Errors of the system pass with their code. */
export interface Files {
  /** Follows links; `undefined` where there is nothing. */
  look(path: string): Promise<Look | undefined>
  /** `undefined` where there is no file. */
  read(path: string): Promise<Buffer | undefined>
  /** `undefined` without the folder. One below it that goes meanwhile is left out. */
  walk(folder: string): Promise<FolderWalk | undefined>
  /** The names in a folder itself. */
  names(folder: string): Promise<readonly string[]>
  makeFolder(path: string): Promise<void>
  /** A new file, which must not exist, written and on the disk. Until it is whole it has mode 0600. */
  create(path: string, content: Uint8Array, owner: Ownership): Promise<void>
  /** Takes the place of the other at once, and is there after a crash as well. */
  rename(from: string, to: string): Promise<void>
  /** Where a rename is not possible: never empty in between, but not at once. */
  overwrite(path: string, content: Uint8Array, owner: Ownership): Promise<void>
  /** An empty file; answers whether there was none. */
  mark(path: string): Promise<boolean>
  /** Nothing happens where there is none. */
  remove(path: string): Promise<void>
}

export interface FolderWalk {
  /** Names below a folder in lexical order, folders among them followed by what they hold. */
  readonly names: readonly string[]
  /** Folders below it that cannot be read. */
  readonly unreadable: readonly { readonly name: string; readonly error: unknown }[]
}

export interface Look {
  readonly kind: 'file' | 'folder' | 'other'
  readonly size: number
  readonly mtimeMs: number
  /** All of 07777. */
  readonly mode: number
  readonly uid: number
  readonly gid: number
}

export interface Ownership {
  /** Of 0777. */
  readonly mode: number
  readonly uid: number
  readonly gid: number
  /** A failure to give it away is an error; otherwise it stays as it is. */
  readonly isAsked: boolean
}
