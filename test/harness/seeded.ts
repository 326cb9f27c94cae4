/** Loaded before every test file: a property test without a seed of its own gets this one. */
import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env.FAST_CHECK_SEED ?? 20_260_301) })
