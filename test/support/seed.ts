/** Of what is drawn at random. The title of a test prints it, and a failure is repeated with SEED=… in the environment. */
export const SEED = Number(process.env.SEED ?? Date.now() % 2 ** 31)
