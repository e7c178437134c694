/** Pieces of MCP messages that the fault servers send. */
export type Json = Record<string, unknown>;

export function tool(name: string, extra: Json = {}): Json {
	return { name, description: `The tool ${name}`, inputSchema: { type: 'object' }, ...extra };
}

export function text(value: string): Json {
	return { content: [{ type: 'text', text: value }] };
}

/** The answer to `initialize`. */
export function handshake(params: Json): Json {
	return {
		protocolVersion: params.protocolVersion,
		capabilities: { tools: { listChanged: true } },
		serverInfo: { name: 'scripted', version: '1.0.0' },
	};
}
