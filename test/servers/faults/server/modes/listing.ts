import { encode, type Mode, type Modes, noAnswer } from '../exchange.ts';
import { type Json, text, tool } from '../messages.ts';
import { dense, repeated } from './calling.ts';

const own = () => [tool('work'), tool('fault')];

/** A server that lists its two tools and these. */
const lists = (more: () => readonly unknown[]): Mode => ({
	handlers: { 'tools/list': () => ({ tools: [...own(), ...more()] }) },
});

function nested(depth: number): string {
	return `${'{"a":'.repeat(depth)}{}${'}'.repeat(depth)}`;
}

/** Each definition refers to the next one ten times, and the last one is nothing: 10^20 in all to whoever follows them. */
function definitionsBomb(): Json {
	const levels = Array.from({ length: 20 }, (_, i) => [
		`d${i}`,
		{ allOf: Array.from({ length: 10 }, () => ({ $ref: `#/$defs/d${i + 1}` })) },
	]);
	return {
		type: 'object',
		$ref: '#/$defs/d0',
		$defs: { ...Object.fromEntries(levels), d20: { minLength: 1 } },
	};
}

/** Lists that are long, broken, or a trap for whoever reads them. */
export const listingModes: Modes = {
	/** Page by page: `empty-cursor` names the second page with the empty string, `repeating` never moves on, `endless` always does. */
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
	/** Good tools and, between them, what is none. */
	'malformed-tools': () =>
		lists(() => [
			tool('first', { annotations: { readOnlyHint: true, destructiveHint: 'perhaps' } }),
			null,
			{ name: 42, inputSchema: { type: 'object' } },
			tool('no-schema', { inputSchema: 'an object, honestly' }),
			tool('array-schema', { inputSchema: { type: 'array' } }),
			tool('deep', { inputSchema: { type: 'object', properties: JSON.parse(nested(700)) } }),
			tool('huge', { description: 'x'.repeat(600_000) }),
			tool('first'),
			tool('last', { description: 7 }),
		]),
	/** In place of a list, the JSON given. */
	'answers-list': ([json = '']): Mode => ({ handlers: { 'tools/list': () => JSON.parse(json) } }),
	'many-tools': ([count]) => lists(() => Array.from({ length: Number(count) }, (_, i) => tool(`tool-${i}`))),
	/** As many tools as may be, each as large as may be, a few a page. */
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
	/** A tool whose schema takes long to parse, or, as `entries`, millions of entries. */
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
	/** A schema so deep that whoever walks it on the stack overflows it. */
	'deep-schema': ([depth]): Mode => ({
		handlers: {
			// In pieces: what writes JSON would itself overflow.
			'tools/list': async (_params, { id, sendPieces }) => {
				const deep = tool('deep', { inputSchema: { type: 'object', properties: '%' } });
				const [head = '', tail = ''] = encode({ id, result: { tools: [...own(), deep] } }).split('"%"');
				await sendPieces([head, nested(Number(depth)), tail]);
				return noAnswer;
			},
		},
	}),
	/** Tool `fault` promises a result that fits a pattern which takes years to refute, and answers with what it is refuted by. */
	'evil-pattern': (): Mode =>
		trap({ type: 'object', properties: { word: { type: 'string', pattern: '^(a+)+$' } } }),
	'definitions-bomb': (): Mode => trap(definitionsBomb()),
	/** Every name that may trip somebody. */
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
	/** A name that is no name, of the length given, at what is no tool. */
	'long-name-of-no-tool': ([length]) => lists(() => [{ name: 'x'.repeat(Number(length)), inputSchema: 7 }]),
	/** Lists once; after that a list fails. `fault` says that there is a new one. */
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
	/** Refers to a schema elsewhere, which nobody must fetch. */
	'remote-reference': ([url]): Mode => trap({ $ref: url }),
};

/** `fault` answers with structured content that its own schema is to be tried on. */
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
