import { isRecord, type JsonRecord } from '../../common/json.ts';
import { jsonOf } from '../file/configText.ts';
import { isAddress } from './serverNames.ts';

/** Runs any version of `mcp-remote`, installed or downloaded. */
const bridge =
	/^((\S*[\\/])?((npx|bunx|pnpx)(\.cmd)?|pnpm dlx|yarn dlx|bun x|npm (exec|x)) ((-y|--yes|--) )*)?mcp-remote(@\S+)?$/;
/** Options that only concern the bridge's own connection, sign-in or log. */
const ofBridge = /^--(allow-http|debug|silent|enable-proxy|disable-resource-parameter)$/;
const ofBridgeWithValue = /^--(host|auth-timeout|resource)$/;

/**
 * The server behind `mcp-remote`, which is for programs that reach no remote servers (https://github.com/geelen/mcp-remote).
 * `undefined`: the entry runs something else, or says what an entry of a remote server cannot, such as an environment.
 */
export function bridgedServer(
	{ command, args: _args, env, cwd: _cwd, type: _type, transport: _transport, ...rest }: JsonRecord,
	args: readonly string[],
): JsonRecord | undefined {
	const isMore = (isRecord(env) && Object.keys(env).length > 0) || rest.envFile !== undefined;
	// `npm exec -y -- mcp-remote` is the longest way to name it.
	const named = [0, 1, 2, 3, 4].find((count) => bridge.test([command, ...args.slice(0, count)].join(' ')));
	const server = named === undefined || isMore ? undefined : serverIn(args.slice(named));
	return server && { ...rest, ...server };
}

/** Reads `URL [callback port] [options]`, in any order. */
function serverIn(words: readonly string[]): JsonRecord | undefined {
	const plain: string[] = [];
	const headers: Record<string, string> = {};
	const disabledTools: string[] = [];
	let type: string | undefined;
	let client: JsonRecord = {};
	for (let at = 0; at < words.length; at++) {
		const word = words[at] ?? '';
		if (ofBridge.test(word)) continue;
		if (!word.startsWith('-')) {
			plain.push(word);
			continue;
		}
		const value = words[++at] ?? '';
		const [, name, text = ''] = /^([\w-]+):\s*(.*)$/s.exec(value) ?? [];
		if (ofBridgeWithValue.test(word)) continue;
		if (word === '--header' && name !== undefined)
			headers[name] = text.replace(/\$\{(\w+)\}/g, (_, variable: string) => `\${env:${variable}}`);
		else if (word === '--transport') type = value.startsWith('sse') ? 'sse' : 'http';
		else if (word === '--ignore-tool' && !value.includes('*')) disabledTools.push(value);
		else if (/^--static-oauth-client-(info|metadata)$/.test(word) && jsonOf(value))
			client = { ...client, ...jsonOf(value) };
		else return undefined;
	}
	const [url, port, ...more] = plain;
	if (!isAddress(url) || more.length > 0) return undefined;
	return {
		url,
		...(type !== undefined && { type }),
		...(Object.keys(headers).length > 0 && { headers }),
		// Without a client of its own, the bridge registers one for whatever port it has.
		...(Object.keys(client).length > 0 && { oauth: { callbackPort: port, ...client } }),
		...(disabledTools.length > 0 && { disabledTools }),
	};
}
