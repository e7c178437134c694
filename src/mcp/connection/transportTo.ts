import type { ServerLaunch } from '../../config/servers/launch.ts';
import type { StartWatch } from '../stdio/startWatch.ts';
import { StdioTransport } from '../stdio/stdioTransport.ts';
import type { ConnectOptions } from './connectOptions.ts';
import type { ServerTransport } from './guardedTransport.ts';
import { SseTransport } from './sseTransport.ts';
import { StreamableTransport } from './streamableTransport.ts';

export function transportTo(
	launch: ServerLaunch,
	options: ConnectOptions & { readonly watch: StartWatch },
): ServerTransport {
	if (launch.kind === 'stdio') return new StdioTransport(launch, options);
	return launch.transport === 'sse'
		? new SseTransport(launch, options)
		: new StreamableTransport(launch, options);
}
