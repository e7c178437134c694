import { ensure, exampleServers } from '../scripts/install/install.mjs';

/** Once for all tests with real servers: the published ones that the example workspace uses. */
export const setup = (): Promise<void> => ensure(exampleServers);
