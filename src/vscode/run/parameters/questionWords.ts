import * as l10n from '@vscode/l10n';
import type { Asking, Parameter } from './parameter.ts';

/** Characters of a value that a placeholder shows. */
const shownLength = 80;

/** What stands below an input: what the parameter is, what its values must be, and how to type them. */
export function promptOf(parameter: Parameter, asking: Asking): string {
	const rule = [...parameter.rules, ...(asking.kind === 'list' ? [l10n.t('separated by commas')] : [])].join(
		', ',
	);
	const sentence = rule === '' ? '' : `${capitalized(rule)}.`;
	return [typedHeading(parameter, wordOf(asking)), sentence].filter(Boolean).join(' ');
}

/** What stands over a list to choose from, which shows itself what kinds of value there are. */
export function choicePromptOf({ name, required, description }: Parameter): string {
	if (description === '') return required ? l10n.t('{0}: required', name) : l10n.t('{0}: optional', name);
	return required
		? l10n.t('{0} (required): {1}', name, description)
		: l10n.t('{0} (optional): {1}', name, description);
}

/** The editor itself adds a remark in brackets: where nothing is known but the type, that stands in none. */
function typedHeading({ name, required, description }: Parameter, type: string): string {
	if (description === '')
		return required ? l10n.t('{0}: {1}, required.', name, type) : l10n.t('{0}: {1}, optional.', name, type);
	return required
		? l10n.t('{0} ({1}, required): {2}', name, type, ended(description))
		: l10n.t('{0} ({1}, optional): {2}', name, type, ended(description));
}

/** A text as the beginning of a sentence. */
export function capitalized(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What stands in an empty input. */
export function placeholderOf({ required, default: byDefault, example }: Parameter): string {
	const words = [
		...(byDefault === undefined ? [] : [l10n.t('default: {0}', shown(byDefault))]),
		...(example === undefined ? [] : [l10n.t('for example {0}', shown(example))]),
	];
	const empty = required ? '' : l10n.t('leave empty to leave out');
	return capitalized([empty, ...words].filter(Boolean).join(' · '));
}

/** A kind of value in words. */
export function wordOf(asking: Asking): string {
	switch (asking.kind) {
		case 'text':
			return l10n.t('text');
		case 'number':
			return l10n.t('number');
		case 'boolean':
			return l10n.t('true or false');
		case 'null':
			return 'null';
		case 'choice':
			return l10n.t('one of a list');
		case 'choices':
			return l10n.t('several of a list');
		case 'list':
			return asking.of === 'text' ? l10n.t('list of texts') : l10n.t('list of numbers');
		case 'json':
			if (asking.type === 'any') return 'JSON';
			return asking.type === 'object' ? l10n.t('JSON object') : l10n.t('JSON list');
		case 'forms':
			return asking.forms.map(wordOf).reduce((one, other) => l10n.t('{0} or {1}', one, other));
	}
}

/** A value on one line. */
export function shown(value: unknown): string {
	const text = typeof value === 'string' && value !== '' ? value : (JSON.stringify(value) ?? '');
	return text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;
}

function ended(sentence: string): string {
	return sentence === '' || /[.!?:;…]$/.test(sentence) ? sentence : `${sentence}.`;
}
