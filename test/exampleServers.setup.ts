import { ensureExampleServers } from '../scripts/exampleServers.ts';

/** Once for all tests with real servers: the published ones that the example workspace uses. */
export const setup = ensureExampleServers;
