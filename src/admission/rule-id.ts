/** Matches the ids of the specifications: `TS-V11`, `W-7`, `MP-20f`, `PATCH-V-23c`, `CF-OWN-08`. */
export const RULE_ID = /[A-Z]+(?:-[A-Z]+)*-[A-Z]?[0-9]+[a-z]?/

/** Matches the end of a message: the id of its rule, followed by that of a borrowed rule. */
export const IDS_AT_END = new RegExp(` \\(${RULE_ID.source}(?:, ${RULE_ID.source})*\\)$`)
