import type { ServerLaunch } from '../../config/launch.ts';
import { redactorOf, secretName } from '../../mcp/redaction.ts';
import type { ServerErrorReason } from '../../mcp/serverError.ts';
import type { ServerStatus } from '../../mcp/serverPool.ts';

/** Icon and words of a server's state. */
export interface ServerLook {
	readonly icon: string;
	readonly color?: string;
	readonly word: string;
	/** After the counts; absent where all is as it should be. */
	readonly short?: string;
}

/** How the editor is shown, whose own tools can be found, too. */
export const editorLook: ServerLook = { icon: 'vscode', word: 'editor', short: 'editor' };

/** How a server's state is shown. */
export function serverLook({ state, cached }: Pick<ServerStatus, 'state' | 'cached'>): ServerLook {
	switch (state.kind) {
		case 'stopped':
			return stoppedLook(state.byUser ? 'byUser' : cached ? 'cached' : 'sleeping');
		case 'starting':
			return { icon: 'loading~spin', word: 'starting…', short: 'starting…' };
		case 'ready':
			return { icon: 'vm-running', color: 'charts.green', word: 'running' };
		case 'failed': {
			const word = `failed: ${failureWords[state.error.reason]}`;
			return { icon: 'error', color: 'problemsErrorIcon.foreground', word, short: word };
		}
	}
}

/** Of a server that does not run: the words say what a call would do. */
function stoppedLook(why: 'byUser' | 'cached' | 'sleeping'): ServerLook {
	switch (why) {
		case 'byUser':
			return { icon: 'stop-circle', word: 'stopped by you', short: 'stopped' };
		case 'cached':
			return { icon: 'database', word: 'not needed yet, starts when called', short: 'cached' };
		case 'sleeping':
			return { icon: 'vm-outline', word: 'not needed now, starts when called', short: 'sleeping' };
	}
}

/** A failure in the few words that a narrow sidebar has room for. */
const failureWords: Record<ServerErrorReason, string> = {
	'command-not-found': 'command not found',
	'not-executable': 'not executable',
	'folder-missing': 'folder missing',
	'spawn-failed': 'cannot be started',
	'exited-at-once': 'exited at once',
	'died-while-starting': 'died while starting',
	crashed: 'crashed',
	'connect-timeout': 'no answer in time',
	unreachable: 'unreachable',
	unauthorized: 'not authorized',
	'http-error': 'HTTP error',
	'session-lost': 'session lost',
	protocol: 'does not speak MCP',
	'list-timeout': 'tools not listed in time',
	'call-idle': 'call without progress',
	'call-too-long': 'call took too long',
	'stream-cut': 'connection cut',
	'message-too-large': 'message too large',
	'request-refused': 'request refused',
	stopped: 'stopped',
	'unknown-server': 'unknown server',
};

/** How a server is reached, without its environment, headers, and what in a command line or address looks secret. */
export function launchWords(launch: ServerLaunch): { readonly transport: string; readonly target: string } {
	const redact = redactorOf(launch);
	if (launch.kind === 'stdio') {
		const target = [launch.command, ...withoutSecrets(launch.args)].join(' ');
		return { transport: 'stdio', target: redact(target) };
	}
	const transport = launch.transport === 'sse' ? 'SSE' : 'HTTP';
	// Keys travel in queries and before the host, too.
	const { origin, pathname } = URL.parse(launch.url) ?? { origin: '', pathname: '' };
	return { transport, target: redact(`${origin}${pathname}`) };
}

/** `--token=abc` and `--token abc` with `***` for the value. */
function withoutSecrets(args: readonly string[]): string[] {
	return args.map((arg, i) => {
		const [option = '', value] = arg.split(/=(.*)/s);
		if (value !== undefined && secretName.test(option)) return `${option}=***`;
		const before = args[i - 1] ?? '';
		return /^--?[^=]+$/.test(before) && secretName.test(before) && !arg.startsWith('-') ? '***' : arg;
	});
}
