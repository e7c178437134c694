import type { Asking, Parameter } from './parameter.ts';

/** Characters of a value that a placeholder shows. */
const shownLength = 80;

/** What stands below an input: what the parameter is, what its values must be, and how to type them. */
export function promptOf({ description, rules, name }: Parameter, asking: Asking): string {
	const how = typingRule(asking);
	const rule = [...rules, ...(how ? [how] : [])].join(', ');
	const sentence = rule === '' ? '' : `${rule.charAt(0).toUpperCase()}${rule.slice(1)}.`;
	return [`${name}: ${ended(description) || wordOf(asking)}`, sentence].filter(Boolean).join(' ');
}

/** What stands in an empty input. */
export function placeholderOf({ required, default: byDefault, example }: Parameter): string {
	const words = [
		...(byDefault === undefined ? [] : [`default: ${shown(byDefault)}`]),
		...(example === undefined ? [] : [`for example ${shown(example)}`]),
	];
	const empty = required ? '' : 'leave empty to leave out';
	const text = [empty, ...words].filter(Boolean).join(' · ');
	return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A kind of value in words. */
export function wordOf(asking: Asking): string {
	switch (asking.kind) {
		case 'text':
			return 'text';
		case 'number':
			return 'number';
		case 'boolean':
			return 'true or false';
		case 'null':
			return 'null';
		case 'choice':
			return 'one of a list';
		case 'choices':
			return 'several of a list';
		case 'list':
			return asking.of === 'text' ? 'list of texts' : 'list of numbers';
		case 'json':
			return asking.type === 'any' ? 'JSON' : asking.type === 'object' ? 'JSON object' : 'JSON list';
		case 'forms':
			return asking.forms.map(wordOf).join(' or ');
	}
}

/** A value on one line. */
export function shown(value: unknown): string {
	const text = typeof value === 'string' && value !== '' ? value : (JSON.stringify(value) ?? '');
	return text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;
}

function typingRule(asking: Asking): string | undefined {
	if (asking.kind === 'list') return 'separated by commas';
	return asking.kind === 'json' && asking.type !== 'any' ? `as a ${wordOf(asking)}` : undefined;
}

function ended(sentence: string): string {
	return sentence === '' || /[.!?:;…]$/.test(sentence) ? sentence : `${sentence}.`;
}
