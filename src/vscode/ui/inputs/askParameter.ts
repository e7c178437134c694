import * as l10n from '@vscode/l10n';
import { writtenOut } from '../../../common/exactText.ts';
import type { ValidationOutcome } from '../../../sandbox/job.ts';
import { labelText } from '../labelText.ts';
import type { PrivateFiles } from '../textFiles.ts';
import { askInEditor } from './askInEditor.ts';
import {
	type InputKind,
	type Option,
	optionsOf,
	type Parameter,
	placeholderOf,
	promptOf,
	readText,
	textOf,
} from './parameter.ts';
import { askPick, askPicks, askText, type Question } from './quickInputs.ts';

export type Validate = (schema: unknown, value: unknown) => Promise<ValidationOutcome>;

/** How an input was left. `text`: what was typed or chosen until then, as `textOf` writes values. */
export type ParameterReply =
	| { readonly kind: 'answer' | 'back'; readonly text: string }
	| { readonly kind: 'declined' | 'cancelled' };

export interface AskedParameter extends Question {
	readonly parameter: Parameter;
	/** An earlier answer. */
	readonly before: string | undefined;
	/** What the schema rejects about a value, in a sentence; nothing if it fits. */
	readonly faultOf: (value: unknown) => Promise<string | undefined>;
	/** For texts that are written in an editor; absent: none are. */
	readonly files?: PrivateFiles;
	/** Shown before the prompt. */
	readonly warning?: string;
}

/** Characters of others' text on a line. */
export const lineLength = 200;

export function askParameter(asked: AskedParameter): Promise<ParameterReply> {
	const { parameter } = asked;
	const { input } = parameter;
	const before = asked.before ?? defaultText(parameter);
	if (input.kind === 'choices') return chooseSome(asked, input.options, before);
	const options = optionsOf(input);
	return options ? choose(asked, options, before) : type(asked, before);
}

/** What is wrong, in a sentence; `undefined` if nothing is, or only the server can tell. */
export function faultSentence(
	outcome: ValidationOutcome,
	shown = (fault: string) => fault,
): string | undefined {
	if (outcome.kind !== 'invalid') return undefined;
	const text = outcome.faults.map(shown).join('; ');
	return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

async function choose(
	{ parameter, ...question }: AskedParameter,
	options: readonly Option[],
	before: string,
): Promise<ParameterReply> {
	const items = itemsOf(parameter, options);
	const reply = await askPick({
		...question,
		placeholder: labelText(promptOf(parameter), lineLength),
		items: parameter.required
			? items
			: [...items, { label: l10n.t('Leave Out'), description: '', text: '', value: undefined }],
		selected: items.filter(({ text }) => text === before),
	});
	if (reply.kind === 'back') return { kind: 'back', text: before };
	return reply.kind === 'answer' ? { kind: 'answer', text: reply.answer.text } : reply;
}

/** Selecting nothing for an optional parameter leaves it out. */
async function chooseSome(
	{ parameter, faultOf, ...question }: AskedParameter,
	options: readonly Option[],
	before: string,
): Promise<ParameterReply> {
	const { input, required } = parameter;
	const items = itemsOf(parameter, options);
	const reading = readText(before, input);
	const ticked: readonly unknown[] =
		reading.kind === 'value' && Array.isArray(reading.value) ? reading.value : [];
	const isNothing = (chosen: readonly unknown[]) => chosen.length === 0 && !required;
	const reply = await askPicks({
		...question,
		placeholder: labelText(promptOf(parameter), lineLength),
		items,
		selected: items.filter(({ value }) => ticked.includes(value)),
		check: async (chosen) => (isNothing(chosen) ? undefined : faultOf(chosen.map(({ value }) => value))),
	});
	if (reply.kind === 'back') return { kind: 'back', text: before };
	if (reply.kind !== 'answer') return reply;
	const values = reply.answer.map(({ value }) => value);
	return { kind: 'answer', text: isNothing(values) ? '' : textOf(values, input) };
}

function itemsOf({ input, default: usual }: Parameter, options: readonly Option[]) {
	const isUsual = (value: unknown) =>
		input.kind === 'choices' && Array.isArray(usual)
			? usual.includes(value)
			: textOf(value, input) === textOf(usual, input);
	return options.map(({ value, label, description = '' }) => {
		const words = [description, isUsual(value) ? l10n.t('default') : ''].filter(Boolean);
		return {
			label: labelText(writtenOut(label), lineLength),
			description: labelText(writtenOut(words.join(' · ')), lineLength),
			text: textOf(value, input),
			value,
		};
	});
}

/** Asks on one line, or in an editor for several lines or after the pencil is pressed. */
async function type(asked: AskedParameter, before: string): Promise<ParameterReply> {
	const { parameter, files, warning, faultOf, ...question } = asked;
	const { name, input, secret } = parameter;
	const check = (text: string) => textFault(parameter, text, faultOf);
	let text = before;
	for (let inEditor = text.includes('\n'); ; inEditor = true) {
		if (inEditor && files) {
			const language = input.kind === 'json' ? 'json' : 'text';
			const edited = await askInEditor({ name, language, text, check }, files);
			if (edited !== undefined) return { kind: 'answer', text: asTyped(edited, input) };
		}
		const reply = await askText({
			...question,
			prompt: [warning, promptOf(parameter)].filter(Boolean).join(' '),
			placeholder: placeholderOf(parameter),
			secret,
			canEdit: files !== undefined && !secret && input.kind !== 'number',
			check,
			text: text.includes('\n') ? '' : text,
		});
		if (reply.kind !== 'edit') return reply;
		text = reply.text;
	}
}

/** What is wrong with a text, in a sentence without the parameter's name. */
async function textFault(
	{ input, required }: Parameter,
	text: string,
	faultOf: AskedParameter['faultOf'],
): Promise<string | undefined> {
	const reading = readText(text, input);
	if (reading.kind === 'fault') return reading.fault;
	if (reading.kind === 'value') return faultOf(reading.value);
	if (!required) return undefined;
	return input.kind === 'text' ? l10n.t('Enter a value, or "" for an empty text.') : l10n.t('Enter a value.');
}

/** The initial text. An optional text starts empty, which leaves it out. */
function defaultText({ required, input, default: usual, skeleton }: Parameter): string {
	const first = required || optionsOf(input) ? (usual ?? skeleton) : undefined;
	return first === undefined ? '' : textOf(first, input);
}

/** Puts JSON on one line, so that it fits into an input next time. */
function asTyped(text: string, input: InputKind): string {
	const reading = readText(text, input);
	return reading.kind === 'value' ? textOf(reading.value, input) : text;
}
