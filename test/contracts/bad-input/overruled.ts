interface Overruled {
  readonly chapter: string
  readonly names: readonly string[]
  readonly lines: readonly string[]
}

/** What the catalogue's authors read of what they wrote and mutations replace or remove, behind the patch and other warnings. */
const OVERRULED: readonly Overruled[] = [
  {
    chapter: 'TServer',
    names: ['an app in unicode, to be mutated', 'an app of 254 characters, to be mutated'],
    lines: ['metadata.labels[tars.io/ServerApp]: "Demo" is removed, for it mirrors spec.app (TS-M1)'],
  },
  {
    chapter: 'TServer',
    names: ['no spec, to be mutated', 'an empty spec, to be mutated'],
    lines: [
      'metadata.labels[tars.io/ServerApp]: "Demo" is removed, for it mirrors spec.app (TS-M1)',
      'metadata.labels[tars.io/ServerName]: "Echo" is removed, for it mirrors spec.server (TS-M2)',
      'metadata.labels[tars.io/SubType]: "tars" is removed, for it mirrors spec.subType (TS-M3)',
      'metadata.labels[tars.io/Template]: "base" is removed, for it mirrors spec.tars.template (TS-M4)',
    ],
  },
  {
    chapter: 'TServer',
    names: ['a template that fits into no label, of a server that carries another, to be mutated'],
    lines: ['metadata.labels[tars.io/Template]: "base" is removed, for it mirrors spec.tars.template (TS-M4)'],
  },
  {
    chapter: 'TServer',
    names: ['a subType that there is not, to be mutated'],
    lines: ['metadata.labels[tars.io/SubType]: "tars" becomes "golang", for it mirrors spec.subType (TS-M3)'],
  },
  {
    chapter: 'TServer',
    names: ['a key with / and ~ beside a label that goes, to be mutated'],
    lines: [
      'metadata.labels[tars.io/ServerID]: "r1" is removed, for this version of the API has no such label (TS-M6)',
    ],
  },
]

const linesOf = new Map(
  OVERRULED.flatMap(({ chapter, names, lines }) => names.map((name) => [`${chapter} ${name}`, lines])),
)

export function overruledIn(chapter: string, name: string): readonly string[] {
  return linesOf.get(`${chapter} ${name}`) ?? []
}
