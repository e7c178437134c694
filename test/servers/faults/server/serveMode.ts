import type { FaultTransport } from '../fault.ts';
import { type Exchange, type Handler, type Mode, noAnswer } from './exchange.ts';
import { serveHttp } from './httpWire.ts';
import { handshake, text, tool } from './messages.ts';
import { serveStdio } from './stdioWire.ts';

const working: Readonly<Record<string, Handler>> = {
	initialize: (params) => handshake(params),
	ping: () => ({}),
	'tools/list': () => ({ tools: [tool('work'), tool('fault')] }),
};

function handlerOf(mode: Mode, { method, params }: Exchange): Handler | undefined {
	const own = mode.handlers?.[method];
	if (own) return own;
	if (method !== 'tools/call') return working[method];
	return (params.name === 'fault' && mode.fault) || (() => text(`${params.name} done`));
}

async function handle(mode: Mode, exchange: Exchange): Promise<void> {
	const { id, method } = exchange;
	const handler = handlerOf(mode, exchange);
	const result = await handler?.(exchange.params, exchange);
	if (id === undefined || result === noAnswer) return;
	const answer = handler ? { result } : { error: { code: -32_601, message: `Method not found: ${method}` } };
	await exchange.send({ id, ...answer });
}

/** Serves until the process or its stdin ends. What the mode does not replace works normally. */
export async function serveMode(transport: FaultTransport, mode: Mode): Promise<void> {
	mode.begin?.();
	if (transport === 'stdio') serveStdio((exchange) => void handle(mode, exchange), mode.stays ?? false);
	else await serveHttp(transport, mode, (exchange) => handle(mode, exchange));
}
