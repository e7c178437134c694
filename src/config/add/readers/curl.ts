import { draftsOf } from '../draftsOf.ts';
import { headerIn } from '../entryShapes.ts';
import type { Drafts } from '../serverDraft.ts';
import { isAddress } from '../serverNames.ts';

/** Headers of each request of the protocol. */
const ofProtocol = /^(content-type|accept|content-length|mcp-.*|last-event-id)$/i;

/**
 * The server that a request in a readme reaches, with its headers. `undefined`: it is no request to an MCP server, as neither its path nor its body
 * says so.
 */
export function requestedServer([program, ...words]: readonly string[]): Drafts | undefined {
	if (program !== 'curl') return undefined;
	const url = words.find(isAddress);
	const isServer = /\/(mcp|sse)(\/|$)/i.test(URL.parse(url ?? '')?.pathname ?? '');
	if (url === undefined || !(isServer || words.some((word) => word.includes('"jsonrpc"')))) return undefined;
	const at = words.findIndex((word) => /^(-u|--user)$/.test(word)) + 1;
	const user = at === 0 ? '' : `${(words[at] ?? '').split(/:(.*)/s, 2).map(encoded).join(':')}@`;
	const headers = words.flatMap((word, index) => {
		const header = /^(-H|--header)$/.test(word) ? headerIn(words[index + 1] ?? '') : undefined;
		// Without a value, a header is left out of the request.
		return header?.[1] && !ofProtocol.test(header[0]) ? [header] : [];
	});
	return draftsOf({
		entry: {
			url: url.replace('//', () => `//${user}`),
			...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
		},
	});
}

function encoded(text: string): string {
	return text.includes('${') ? text : encodeURIComponent(text);
}
