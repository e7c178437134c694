import type { ServerLaunch } from '../../config/servers/launch.ts';
import type { StartWatch } from '../stdio/startWatch.ts';
import { StdioTransport } from '../stdio/stdioTransport.ts';
import type { ConnectOptions } from './connectOptions.ts';
import type { MessageReader } from './messageReader.ts';
import type { MessageTransport } from './passage.ts';
import { SseTransport } from './sseTransport.ts';
import { StreamableTransport } from './streamableTransport.ts';

export function transportTo(
	launch: ServerLaunch,
	options: ConnectOptions & { readonly reader: MessageReader; readonly watch: StartWatch },
): MessageTransport {
	if (launch.kind === 'stdio') return new StdioTransport(launch, options);
	return launch.transport === 'sse'
		? new SseTransport(launch, options)
		: new StreamableTransport(launch, options);
}
