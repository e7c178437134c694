import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { leftOutMember } from '../../../src/mcp/connection/connection.ts';
import { type ScanLimits, scanJson } from '../../../src/mcp/connection/jsonScan.ts';

describe('the scan', () => {
	const wide: ScanLimits = { depth: 1_000, cost: 1e9, entryCost: 1e9, entryDepth: 1_000, entries: 1e9 };
	const scanned = (text: string, limits: ScanLimits) => {
		const scan = scanJson(Buffer.from(text), limits);
		let step = scan.next();
		while (!step.done) step = scan.next();
		return typeof step.value === 'string' ? step.value : step.value.toString();
	};
	const message = fc.oneof(
		fc.json(),
		fc
			.array(fc.jsonValue({ maxDepth: 3 }))
			.map((tools) => JSON.stringify({ id: 1, result: { tools } }, undefined, 1)),
	);

	test('does not change JSON within the limits', () => {
		fc.assert(
			fc.property(message, (text) => {
				expect(scanned(text, wide)).toBe(text);
			}),
		);
	});

	test('turns any list into valid JSON of the first entries, each unchanged or reduced to its name', () => {
		const entry = fc.oneof(
			fc.jsonValue({ maxDepth: 4 }),
			fc.record({ a: fc.jsonValue({ maxDepth: 3 }), name: fc.string({ unit: 'binary' }), b: fc.jsonValue() }),
		);
		fc.assert(
			fc.property(
				fc.array(entry),
				fc.nat(12),
				fc.nat(6),
				fc.integer({ min: 1, max: 8 }),
				(tools, entryCost, entryDepth, entries) => {
					const text = JSON.stringify(
						{ result: { before: [1, { tools: [] }], tools, after: {} } },
						undefined,
						1,
					);
					const left = JSON.parse(scanned(text, { ...wide, entryCost, entryDepth, entries }));
					const kept = tools.length < entries ? tools : tools.slice(0, entries);
					const own = JSON.parse(JSON.stringify(kept)) as { name?: unknown }[];
					expect(left.result.tools).toHaveLength(kept.length);
					for (const [i, one] of left.result.tools.entries()) {
						if (one?.[leftOutMember] === undefined) expect(one).toEqual(own[i]);
						else if ('name' in one) expect(one.name).toBe(own[i]?.name);
					}
					expect({ ...left.result, tools: [] }).toEqual({ before: [1, { tools: [] }], tools: [], after: {} });
				},
			),
		);
	});

	test('ends without an error for any text', () => {
		const text = fc.string({ unit: fc.constantFrom(...'[]{},:"\\ a1', '"tools":[', '"result":{') });
		fc.assert(
			fc.property(text, (some) => {
				scanned(some, { depth: 3, cost: 20, entryCost: 3, entryDepth: 2, entries: 2 });
			}),
		);
	});
});
