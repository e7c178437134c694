/**
 * A server that goes wrong on purpose: `faultServer.ts TRANSPORT MODE [ARGUMENT…]`. But for what its mode says it works, and
 * has two tools: `work`, and `fault`, which is where a mode of calls goes wrong.
 */
import type { FaultTransport } from '../fault.ts';
import { modes } from './modes.ts';
import { serveMode } from './serveMode.ts';

const [, , transport = 'stdio', name = '', ...rest] = process.argv;
const mode = modes[name]?.(rest);
if (!mode) throw new Error(`no mode "${name}": there are ${Object.keys(modes).join(', ')}`);
await serveMode(transport as FaultTransport, mode);
