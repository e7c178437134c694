import { isRecord, type JsonRecord } from '../../common/json.ts';
import { jsonOf } from '../file/configText.ts';
import { headerIn } from './entryShapes.ts';
import { isAddress } from './serverNames.ts';

/** Runs any version of a bridge, installed or downloaded. */
const bridge =
	/^((\S*[\\/])?((npx|bunx|pnpx)(\.cmd)?|pnpm dlx|yarn dlx|bun x|npm (exec|x)) ((-y|--yes|--) )*)?(?<name>mcp-remote|supergateway)(@\S+)?$/;
/** Options that only concern the bridge's own connection, sign-in, port or log. */
const ofBridge =
	/^--(allow-http|debug|silent|enable-proxy|disable-resource-parameter|cors|stateful|healthEndpoint)$/;
const ofBridgeWithValue =
	/^--(host|auth-timeout|resource|outputTransport|logLevel|port|baseUrl|ssePath|messagePath|streamableHttpPath|sessionTimeout)$/;

/**
 * The server behind a bridge, which is for programs that know only one transport: `mcp-remote` (https://github.com/geelen/mcp-remote) and
 * `supergateway` (https://github.com/supercorp-ai/supergateway). `undefined`: the entry runs something else, or says what the server's own
 * entry cannot, such as an environment for a remote server.
 */
export function bridgedServer(
	{ command, args: _args, env, cwd, type: _type, transport: _transport, ...rest }: JsonRecord,
	args: readonly string[],
): { readonly entry: JsonRecord; readonly bridge: string } | undefined {
	// `npm exec -y -- mcp-remote` is the longest way to name it.
	for (const count of [0, 1, 2, 3, 4]) {
		const name = bridge.exec([command, ...args.slice(0, count)].join(' '))?.groups?.name;
		if (name === undefined) continue;
		const server = serverIn(args.slice(count));
		const isMore = (isRecord(env) && Object.keys(env).length > 0) || rest.envFile !== undefined;
		if (!server || (isMore && 'url' in server)) return undefined;
		const ofProcess = 'command' in server && {
			...(env !== undefined && { env }),
			...(cwd !== undefined && { cwd }),
		};
		return { bridge: name, entry: { ...rest, ...ofProcess, ...server } };
	}
	return undefined;
}

/** Reads `URL [callback port] [options]`, in any order, or the command or URL that an option names. */
function serverIn(words: readonly string[]): JsonRecord | undefined {
	const plain: string[] = [];
	const headers: Record<string, string> = {};
	const disabledTools: string[] = [];
	let type: string | undefined;
	let process: string | undefined;
	let client: JsonRecord = {};
	for (let at = 0; at < words.length; at++) {
		const word = words[at] ?? '';
		if (ofBridge.test(word)) continue;
		if (!word.startsWith('-')) {
			plain.push(word);
			continue;
		}
		const value = words[++at] ?? '';
		const [name, text = ''] = headerIn(value) ?? [];
		if (ofBridgeWithValue.test(word)) continue;
		if (word === '--header' && name !== undefined)
			headers[name] = text.replace(/\$\{(\w+)\}/g, (_, variable: string) => `\${env:${variable}}`);
		else if (word === '--oauth2Bearer') headers.Authorization = `Bearer ${value}`;
		else if (word === '--transport') type = value.startsWith('sse') ? 'sse' : 'http';
		else if (/^--(sse|streamableHttp)$/.test(word)) {
			type = word === '--sse' ? 'sse' : 'http';
			plain.push(value);
		} else if (word === '--stdio') process = value;
		else if (word === '--ignore-tool' && !value.includes('*')) disabledTools.push(value);
		else if (/^--static-oauth-client-(info|metadata)$/.test(word) && jsonOf(value))
			client = { ...client, ...jsonOf(value) };
		else return undefined;
	}
	if (process !== undefined) return plain.length === 0 ? { command: process } : undefined;
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
