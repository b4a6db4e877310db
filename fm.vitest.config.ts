import config from './test/mutants/vitest.config.js'
export default { ...config, test: { ...config.test, include: (process.env.FM_TESTS ?? '').split(' ') } }
