import { describe, expect, test } from 'vitest';
import type { Uri } from 'vscode';
import type { ConfigProblem, ProblemSeverity } from '../../../../src/config/config.ts';
import { sortProblems } from '../../../../src/vscode/servers/problemNodes.ts';
import { rowOf } from '../../../../src/vscode/servers/treeRows.ts';

const uri = { path: '/casual_mcp_config.json' } as Uri;
const place = { line: 0, character: 0 };

function problem(severity: ProblemSeverity, ...path: readonly string[]): ConfigProblem {
	return { severity, message: `${path.join('.')}: so it is`, path, start: place, end: place };
}

/** `label description` of the rows above the servers, and of the servers that are off; `files` can be used. */
function rows(...problems: readonly ConfigProblem[]) {
	const { above, faulty } = sortProblems(problems, uri, (server) => server === 'files');
	const words = (all: readonly Parameters<typeof rowOf>[0][]) =>
		all.map((node) => {
			const { label, description } = rowOf(node);
			return `${label} ${description}`.trim();
		});
	return { above: words(above), faulty: words(faulty) };
}

describe('the faults of a configuration in the Servers view', () => {
	test('many warnings are one row that opens', () => {
		const many = Array.from({ length: 19 }, (_, i) => problem('warning', 'servers', 'files', `key${i}`));
		expect(rows(...many)).toEqual({ above: ['19 warnings'], faulty: [] });
		const [row] = sortProblems(many, uri, () => true).above;
		expect(row?.kind === 'problems' && row.problems).toHaveLength(19);
	});

	test('one that is alone stands by itself, and leads to its line', () => {
		expect(rows(problem('warning', 'models', 'gpt')).above).toEqual(['models.gpt: so it is line 1']);
	});

	test('errors come before warnings', () => {
		const error = problem('error', 'models', 'gpt');
		const warning = problem('warning', 'models', 'gpt');
		expect(rows(warning, error, warning, error).above).toEqual(['2 errors', '2 warnings']);
	});

	test('a server that is off because of faults has a row of its own, whatever its section is called', () => {
		const two = [
			problem('error', 'servers', 'memory', 'command'),
			problem('error', 'servers', 'memory', 'args'),
		];
		expect(rows(...two, problem('error', 'mcpServers', 'git'))).toEqual({
			above: [],
			faulty: ['memory off, 2 faults', 'git off, 1 fault'],
		});
	});

	test('faults of a server that runs all the same, and warnings of one that is off, stand above', () => {
		expect(
			rows(problem('error', 'servers', 'files', 'tools'), problem('warning', 'servers', 'memory', 'x')),
		).toEqual({
			above: ['servers.files.tools: so it is line 1', 'servers.memory.x: so it is line 1'],
			faulty: [],
		});
	});
});
