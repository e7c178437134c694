import { Redactor } from '../../src/common/secrets/redactor.ts';
import type { Benchmark } from '../benchmark.ts';
import { quantity } from '../report.ts';
import { medianTime } from '../timing.ts';

const LENGTH = 1_000_000;
const SECRETS = 100;
const RUNS = 5;

/** Typical texts of servers, and texts that could keep us busy. */
const KINDS: Readonly<Record<string, string>> = {
	log: '2026-01-01T00:00:00Z INFO [server] GET https://api.test/v1/items?page=2 {"status": 200, "ms": 12}\n',
	prose: 'The section of this application shows a figure for each line of text, and says what it passes on. ',
	code: 'export function listed(names: readonly string[]): string {\n\treturn names.slice(0, 5).join(", ");\n}\n',
	'beginnings of keys': 'sk-',
	options: '--token ',
	members: '"token":"',
	addresses: 'https://',
	parameters: '?key=1&',
};

/** How long it takes to find secrets in a megabyte. */
export const redaction: Benchmark = {
	name: 'redaction',
	title: 'Time to hide secrets in what servers say',
	async measure() {
		const redactor = new Redactor(
			Array.from({ length: SECRETS }, (_, index) => `acme-${index}-9f8e7d6c5b4a`),
		);
		const rows = Object.entries(KINDS).map(([name, part]) => {
			const text = part.repeat(Math.ceil(LENGTH / part.length));
			return {
				name,
				knownMs: medianTime(() => redactor.hideKnown(text), RUNS),
				allMs: medianTime(() => redactor.hide(text), RUNS),
			};
		});
		return {
			kind: 'measured',
			figures: {
				'redaction.answer.ms': Math.max(...rows.map(({ knownMs }) => knownMs)),
				'redaction.log.ms': rows[0]?.allMs ?? Number.NaN,
				'redaction.worst.ms': Math.max(...rows.map(({ allMs }) => allMs)),
			},
			tables: [
				{
					title: `A megabyte, ${SECRETS} known secrets`,
					columns: ['text', 'in answers ms', 'in logs and errors ms'],
					rows: rows.map(({ name, knownMs, allMs }) => [name, quantity(knownMs), quantity(allMs)]),
				},
			],
			notes: ['In answers only known values are looked for; a line of a log has at most 8 kB.'],
		};
	},
};
