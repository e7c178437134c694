import { describe, expect, test } from 'vitest';
import type { RenderOutcome } from '../../../src/sandbox/job.ts';
import { renderTemplate } from '../../../src/sandbox/renderTemplate.ts';

const tools = [
	{ name: 'a__x', description: 'Does x', parameters: { type: 'object', required: ['p'] } },
	{ name: 'b__y', description: 'Does y', parameters: { type: 'object' } },
];

function rendered(text: string): RenderOutcome {
	return { kind: 'rendered', text };
}

describe('given a Jinja template', () => {
	test.each([
		['{{ tools[0].name }} of {{ tools | length }}', 'a__x of 2'],
		['{% for tool in tools %}{{ loop.index }}. {{ tool.name }}\n{% endfor %}', '1. a__x\n2. b__y\n'],
		['{% for tool in tools %}\nx{%- endfor -%}\n.', '\nx\nx.'],
		['{{ tools[0].parameters | tojson }}', '{"type": "object", "required": ["p"]}'],
		["{{ tools | map(attribute='name') | join(', ') }}", 'a__x, b__y'],
		['{% macro m(t) %}<{{ t.name }}>{% endmacro %}{{ m(tools[1]) }}', '<b__y>'],
		[
			'{% set ns = namespace(n=0) %}{% for i in range(2, 9, 3) %}{% set ns.n = ns.n + i %}{% endfor %}{{ ns.n }}',
			'15',
		],
		['{{ range(3, 0, -1) | tojson }}{{ range(2) | tojson }}{{ range(-1) | tojson }}', '[3, 2, 1][0, 1][]'],
		['{# nothing #}{{ missing }}{{ none }}{{ true }}\n', 'true'],
		['plain { text } }} %}', 'plain { text } }} %}'],
	])('then %j renders as %j', (template, text) => {
		expect(renderTemplate(template, { tools })).toEqual(rendered(text));
	});
});

describe('given a faulty template, then the fault is reported', () => {
	test.each([
		['a\n\n{{ foo( }}', 'Unexpected token: CloseExpression'],
		['a\n{# b', 'Missing end of comment tag'],
		['a\n{% endif %}', 'Unknown statement type: endif'],
		['{% if a %}\nb', 'the template ends inside a tag or block'],
		['{{ nope() }}', 'Cannot call something that is not a function: got UndefinedValue'],
		[
			"{% if not tools[2] %}{{ raise_exception('three tools are\nneeded') }}{% endif %}",
			'three tools are needed',
		],
		["{% include 'other.j2' %}", 'Unknown statement type: include'],
		["{% import '/etc/passwd' as p %}", 'Unknown statement type: import'],
		["{% extends 'base' %}", 'Unknown statement type: extends'],
		['a\n{% break %}', 'a tag has no place here'],
		['{{ range(1000000000) }}', 'range() gives at most 100000 numbers'],
		['{{ range(1, 2, 0) }}', 'range() gives at most 100000 numbers'],
	])('%j', (template, fault) => {
		expect(renderTemplate(template, { tools })).toEqual({ kind: 'failed', fault });
	});

	test('a text that is too long is rejected', () => {
		expect(renderTemplate('{% for i in range(100000) %}abc{% endfor %}', {})).toEqual({
			kind: 'failed',
			fault: 'the text has 300000 characters; at most 262144 are allowed',
		});
	});
});

describe('a template can reach nothing but its variables', () => {
	test.each([
		"{{ ''.constructor }}",
		"{{ ''['constructor'] }}",
		'{{ tools.constructor }}',
		'{{ tools.__proto__ }}',
		"{{ tools[0]['__proto__'] }}",
		'{{ tools[0].prototype }}',
		'{{ range.constructor }}',
		'{{ range.__globals__ }}',
		'{{ namespace.__init__ }}',
		'{{ self }}{{ this }}{{ globals }}{{ config }}',
		'{{ process }}{{ global }}{{ globalThis }}{{ require }}{{ module }}{{ Function }}',
		"{{ 'x' | attr('constructor') }}",
		"{{ tools | map(attribute='constructor') | first }}",
		'{{ cycler }}{{ lipsum }}{{ joiner }}',
	])('%s renders as empty', (template) => {
		const outcome = renderTemplate(template, { tools });
		expect(outcome.kind === 'rendered' ? outcome.text : '').toBe('');
	});

	test.each([
		"{{ ''.constructor.constructor('return process')() }}",
		"{{ range.constructor('return process.env')() }}",
		"{{ (range | attr('constructor'))('return 1')() }}",
		"{{ ''.__class__.__mro__[1].__subclasses__() }}",
		"{{ cycler.__init__.__globals__.os.popen('id').read() }}",
	])('%s cannot be called', (template) => {
		expect(renderTemplate(template, { tools })).toMatchObject({ kind: 'failed' });
	});

	test('assignments in one template do not affect later ones or JavaScript objects', () => {
		renderTemplate("{% set tools = 1 %}{% set ns = namespace(__proto__='x', constructor='y') %}", { tools });
		expect(renderTemplate('{{ ns }}{{ x }}{{ tools | length }}', { tools })).toEqual(rendered('2'));
		expect(({} as Record<string, unknown>).x).toBeUndefined();
	});
});
