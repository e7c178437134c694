/**
 * A server that fails on purpose: `faultServer.ts TRANSPORT MODE [ARGUMENT…]`. Apart from its mode it works. It has two tools: `work`, and
 * `fault`, in which the modes of calls fail.
 */
import type { FaultTransport } from '../fault.ts';
import { modes } from './modes.ts';
import { serveMode } from './serveMode.ts';

const [, , transport = 'stdio', name = '', ...rest] = process.argv;
const mode = modes[name]?.(rest);
if (!mode) throw new Error(`no mode "${name}": there are ${Object.keys(modes).join(', ')}`);
await serveMode(transport as FaultTransport, mode);
