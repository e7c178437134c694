import { encode, type Mode, type Modes, noAnswer } from '../exchange.ts';
import { type Json, text, tool } from '../messages.ts';
import { dense, repeated } from './calling.ts';

const own = () => [tool('work'), tool('fault')];

/** A server that lists its two tools and more. */
const lists = (more: () => readonly unknown[]): Mode => ({
	handlers: { 'tools/list': () => ({ tools: [...own(), ...more()] }) },
});

function nested(depth: number): string {
	return `${'{"a":'.repeat(depth)}{}${'}'.repeat(depth)}`;
}

/** Lists that are long, broken, or dangerous to process. */
export const listingModes: Modes = {
	/**
	 * Pages: `empty-cursor` ends the list with the empty string, `repeating` repeats the same cursor, `endless` always has another
	 * page.
	 */
	pages: ([way]): Mode => {
		let page = 0;
		return {
			handlers: {
				'tools/list': ({ cursor }) => {
					page = cursor === undefined ? 1 : page + 1;
					const tools = [...(page === 1 ? own() : []), tool(`page-${page}`)];
					if (way === 'empty-cursor') return page === 1 ? { tools, nextCursor: '' } : { tools };
					return { tools, nextCursor: way === 'repeating' ? 'again' : `after-${page}` };
				},
			},
		};
	},
	/** Good tools with malformed ones between them. */
	'malformed-tools': () =>
		lists(() => [
			tool('first', { annotations: { readOnlyHint: true, destructiveHint: 'perhaps' } }),
			null,
			{ name: 42, inputSchema: { type: 'object' } },
			tool('no-schema', { inputSchema: 'an object, honestly' }),
			tool('array-schema', { inputSchema: { type: 'array' } }),
			tool('deep', { inputSchema: { type: 'object', properties: JSON.parse(nested(100)) } }),
			tool('huge', { description: 'x'.repeat(600_000) }),
			tool('first'),
			tool('last', { description: 7 }),
		]),
	'many-tools': ([count]) => lists(() => Array.from({ length: Number(count) }, (_, i) => tool(`tool-${i}`))),
	/** The most tools allowed, each of the largest size allowed, a few per page. */
	'heavy-pages': (): Mode => {
		const heavy = 'x'.repeat(500_000);
		return {
			handlers: {
				'tools/list': ({ cursor = '0' }) => {
					const page = Number(cursor);
					const tools = Array.from({ length: 25 }, (_, i) =>
						tool(`heavy-${page}-${i}`, { description: heavy }),
					);
					return { tools: page === 0 ? [...own(), ...tools] : tools, nextCursor: String(page + 1) };
				},
			},
		};
	},
	/** A tool whose schema takes long to parse, or, with `entries`, a list of millions of entries. */
	'dense-list': ([kind = '']): Mode => ({
		handlers: {
			'tools/list': async (_params, { id, sendPieces }) => {
				const [head = '', tail = ''] = encode({ id, result: { tools: [...own(), '%'] } }).split('"%"');
				const entry =
					kind === 'entries'
						? [...repeated(1_000, Buffer.from('[],'.repeat(5_000))), '[]']
						: ['{"name":"dense","inputSchema":{"type":"object","default":', ...dense(kind), '}}'];
				await sendPieces([head, ...entry, tail]);
				return noAnswer;
			},
		},
	}),
	'huge-schema': () =>
		lists(() => [
			tool('huge', {
				inputSchema: {
					type: 'object',
					properties: Object.fromEntries(
						Array.from({ length: 50_000 }, (_, i) => [
							`property ${i}`,
							{ type: 'string', description: 'x'.repeat(60) },
						]),
					),
				},
			}),
		]),
	/** A schema so deep that walking it recursively overflows the stack. */
	'deep-schema': ([depth]): Mode => ({
		handlers: {
			// In pieces, because JSON.stringify would overflow the stack too.
			'tools/list': async (_params, { id, sendPieces }) => {
				const deep = tool('deep', { inputSchema: { type: 'object', properties: '%' } });
				const [head = '', tail = ''] = encode({ id, result: { tools: [...own(), deep] } }).split('"%"');
				await sendPieces([head, nested(Number(depth)), tail]);
				return noAnswer;
			},
		},
	}),
	/** `fault` promises a result that matches this schema, and answers with one that a client would have to check for years. */
	trap: ([schema = '']): Mode => trap(JSON.parse(schema)),
	/** Names that could confuse a reader or a program. */
	'odd-names': () =>
		lists(() =>
			[
				'with spaces',
				'with\nnewline',
				'constructor',
				'__proto__',
				'toString',
				'search_tools',
				'a/../b',
				'\u202edesrever',
				'emoji 🙂',
				'x'.repeat(10_240),
				'\ud800 half a character',
			].map((name) => tool(name)),
		),
	/** A name of the given length, of something that is not a tool. */
	'long-name-of-no-tool': ([length]) => lists(() => [{ name: 'x'.repeat(Number(length)), inputSchema: 7 }]),
	/** Lists once; later lists fail. `fault` announces a new list. */
	'list-fails-later': (): Mode => {
		let lists = 0;
		return {
			handlers: {
				'tools/list': async (_params, { id, send }) => {
					lists += 1;
					if (lists === 1) return { tools: own() };
					await send({ id, error: { code: -32_000, message: 'the list is lost' } });
					return noAnswer;
				},
			},
			fault: async (_params, { wire }) => {
				await wire.send({ method: 'notifications/tools/list_changed' });
				return text('announced');
			},
		};
	},
};

/** `fault` answers with structured content, so that a client would validate it against the tool's schema. */
function trap(schema: Json): Mode {
	const input = { type: 'object', properties: { word: schema } };
	return {
		handlers: {
			'tools/list': () => ({
				tools: [
					tool('work'),
					tool('fault', { inputSchema: input, outputSchema: { ...schema, type: 'object' } }),
				],
			}),
		},
		fault: () => ({ ...text('trapped'), structuredContent: { word: `${'a'.repeat(40)}!` } }),
	};
}
