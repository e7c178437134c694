import { type Handler, type Mode, type Modes, noAnswer } from '../exchange.ts';
import { tool } from '../messages.ts';

/** The answer to the probe, of a server that speaks only the newer protocol. */
const discovered = {
	resultType: 'complete',
	supportedVersions: ['2026-07-28'],
	capabilities: { tools: { listChanged: true } },
	ttlMs: 0,
	cacheScope: 'private',
};

const onlyModern: Readonly<Record<string, Handler>> = {
	'server/discover': () => discovered,
	initialize: async (_params, { id, send }) => {
		await send({ id, error: { code: -32_022, message: 'only the newer protocol' } });
		return noAnswer;
	},
	// The stream neither carries a message nor ends.
	'subscriptions/listen': () => noAnswer,
};

/** A server of the newer protocol whose call of `fault` asks for more input each time. */
const asking = (inputRequests: object, more: object = {}): Mode => ({
	handlers: onlyModern,
	fault: () => ({ resultType: 'input_required', inputRequests, ...more }),
});

const field = { type: 'string' };

/** Faults that only a server of one generation of the protocol can have. */
export const eraModes: Modes = {
	modern: (): Mode => ({ handlers: onlyModern }),
	/** Asks the user the same question again and again, with so many fields, or asks for something that a client does not offer. */
	'asks-again': ([count = '1', method = 'elicitation/create']): Mode => {
		const properties = Object.fromEntries(Array.from({ length: Number(count) }, (_, i) => [`f${i}`, field]));
		return asking({ more: { method, params: { message: 'More!', requestedSchema: { properties } } } });
	},
	/** Asks the client only to try again. */
	'asks-patience': (): Mode => asking({}, { requestState: 'x'.repeat(100_000) }),
	/** Lists something that is not a tool, and answers with an unknown kind of content. */
	'loose-results': (): Mode => ({
		handlers: {
			...onlyModern,
			'tools/list': () => ({ tools: [tool('work'), tool('fault'), { name: 7 }], ttlMs: 'long' }),
		},
		fault: () => ({
			resultType: 'complete',
			content: [{ type: 'hologram' }, { type: 'text', text: 'seen' }],
		}),
	}),
	/** Ends each stream of changes at once. */
	'ends-listening': (): Mode => ({
		handlers: { ...onlyModern, 'subscriptions/listen': () => ({ resultType: 'complete' }) },
	}),
	/** Speaks the older protocol and asks the user without end, also outside of calls. */
	'asks-by-itself': ([every = '1']): Mode => ({
		handlers: {
			'tools/list': (_params, { wire }) => {
				let id = 0;
				setInterval(() => {
					id += 1;
					const params = { message: 'Why?', requestedSchema: { type: 'object', properties: { why: field } } };
					void wire.send({ id: `ask-${id}`, method: 'elicitation/create', params });
				}, Number(every));
				return { tools: [tool('work'), tool('fault')] };
			},
		},
	}),
};
