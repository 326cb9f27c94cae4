/** Loaded before every test file: gives a property test without a seed a fixed one. */
import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env.FAST_CHECK_SEED ?? 20_260_301) })
