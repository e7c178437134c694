import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type {
	AskedQuestion,
	AskUser,
	Question,
	QuestionAnswer,
	QuestionField,
} from '../../mcp/connection/questions.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { askParameter, faultSentence } from '../ui/inputs/askParameter.ts';
import { askPick, askSteps } from '../ui/inputs/quickInputs.ts';
import { labelText, lineLength } from '../ui/labelText.ts';
import { openExactUrl } from '../ui/unsupported.ts';
import { addressLines, FilledForm, parameterOf, questionTitle, schemaOf } from './questionForm.ts';

/** Characters of names in a title, and of the server's message. */
const nameLength = 60;
const messageLength = 1_500;

/** Characters of a value with its hidden characters written out. */
const stateLength = 1_000;

/** What all inputs of a question share. */
interface Frame {
	readonly asked: AskedQuestion;
	readonly title: string;
	readonly signal: AbortSignal;
	readonly sandbox: Sandbox;
}

type Form = Question & { readonly kind: 'form' };
type Address = Question & { readonly kind: 'address' };

/**
 * Asks the user what a server wants to know. The first input says who asks and why, and takes no accidental answer: a question may come
 * while the user types elsewhere. Escape or `signal` dismisses it.
 */
export async function askUser(
	asked: AskedQuestion,
	signal: AbortSignal,
	sandbox: Sandbox,
): ReturnType<AskUser> {
	const frame = { asked, title: questionTitle(asked), signal, sandbox };
	return asked.question.kind === 'form' ? askForm(asked.question, frame) : askToOpen(asked.question, frame);
}

/** A list of the fields, which the user can fill in and review before all are sent. */
async function askForm({ message, fields }: Form, frame: Frame): Promise<QuestionAnswer> {
	let form = new FilledForm(fields);
	for (let isFirst = true; ; isFirst = false) {
		const chosen = await chooseField(form, message, isFirst, frame);
		if (chosen === 'decline' || chosen === 'cancel') return { action: chosen };
		if (chosen === 'send') return { action: 'accept', content: form.content };
		const filled = await fillIn(chosen, form, frame);
		if (filled === 'decline' || filled === 'cancel') return { action: filled };
		const isDone = filled !== form && fields.length === 1 && filled.missing.length === 0;
		if (isDone) return { action: 'accept', content: filled.content };
		form = filled;
	}
}

interface FormItem extends vscode.QuickPickItem {
	readonly leadsTo: 'send' | 'decline' | 'cancel' | readonly QuestionField[];
}

async function chooseField(
	form: FilledForm,
	message: string,
	isFirst: boolean,
	{ title, asked, signal }: Frame,
): Promise<FormItem['leadsTo']> {
	const { fields, missing } = form;
	const next: FormItem | undefined =
		missing.length === 0
			? {
					label: `$(check) ${l10n.t('Send')}`,
					description: l10n.t('to {0}', labelText(asked.server, nameLength)),
					leadsTo: 'send',
				}
			: fields.length === 1
				? undefined
				: {
						label: `$(arrow-right) ${l10n.t('Fill In…')}`,
						description: l10n.t('required fields'),
						leadsTo: missing,
					};
	const rows = fields.map(
		(field): FormItem => ({
			label: labelText(field.title, nameLength),
			description: labelText(form.stateOf(field), stateLength),
			detail: field.isSecret ? secretWarning() : labelText(field.description, lineLength),
			leadsTo: [field],
		}),
	);
	// Next to Send, so that nobody has to scroll for it.
	const decline: FormItem = {
		label: `$(circle-slash) ${l10n.t('Decline')}`,
		description: l10n.t('sends nothing'),
		leadsTo: 'decline',
	};
	const border: FormItem = {
		label: l10n.t('Fields'),
		kind: vscode.QuickPickItemKind.Separator,
		leadsTo: [],
	};
	const items = next ? [next, decline, border, ...rows] : [...rows, decline];
	// Enter must not send what the user has not seen yet.
	const first = isFirst && missing.length === 0 ? (rows[0] ?? items.at(-1)) : items[0];
	const reply = await askPick<FormItem>({
		title,
		signal,
		prompt: labelText(message, messageLength),
		placeholder: l10n.t('Select a field to fill in'),
		items,
		selected: first ? [first] : [],
	});
	return reply.kind === 'answer' ? reply.answer.leadsTo : 'cancel';
}

/** Asks for fields one by one. Back from the first leads to the list. */
async function fillIn(
	fields: readonly QuestionField[],
	initialForm: FilledForm,
	{ title, asked, signal, sandbox }: Frame,
): Promise<FilledForm | 'decline' | 'cancel'> {
	let form = initialForm;
	const ending = await askSteps(
		{ title, canLeave: true, canDecline: true, signal },
		() => fields,
		async (field, question) => {
			const reply = await askParameter({
				...question,
				parameter: parameterOf(field),
				initialText: form.textOf(field),
				faultOf: async (value) =>
					faultSentence(await sandbox.validate(schemaOf(field.input), value, asked.server)),
				...(field.isSecret && { warning: secretWarning() }),
			});
			if (reply.kind === 'answer') form = form.withText(field, reply.text);
			return reply;
		},
	);
	if (ending === 'cancelled') return 'cancel';
	return ending === 'declined' ? 'decline' : form;
}

function secretWarning(): string {
	return l10n.t('Do not enter passwords or keys: servers must not ask for them here.');
}

/** Takes two steps, so that a key press meant for something else opens nothing. */
async function askToOpen({ message, url }: Address, frame: Frame): Promise<QuestionAnswer> {
	const { title, signal } = frame;
	const { host } = new URL(url);
	const look = {
		label: `$(link-external) ${l10n.t('Show URL…')}`,
		description: labelText(host, lineLength),
	};
	const decline = {
		label: `$(circle-slash) ${l10n.t('Decline')}`,
		description: l10n.t('opens nothing'),
	};
	const reply = await askPick<vscode.QuickPickItem>({
		title,
		signal,
		prompt: labelText(message, messageLength),
		placeholder: l10n.t('The server asks you to open a URL. Escape dismisses the question.'),
		items: [look, decline],
		selected: [look],
	});
	if (reply.kind !== 'answer') return { action: 'cancel' };
	return reply.answer === decline ? { action: 'decline' } : confirmAddress(url, message, frame);
}

/** Modal dialogs are plain text, so a server's text cannot become a link. */
async function confirmAddress(
	url: string,
	message: string,
	{ asked, signal }: Frame,
): Promise<QuestionAnswer> {
	const [open, copy, decline] = [l10n.t('Open Browser'), l10n.t('Copy URL'), l10n.t('Decline')];
	const who = [
		l10n.t('Server: {0}', labelText(asked.server, nameLength)),
		l10n.t('For: {0}', labelText(asked.call, nameLength)),
		...(asked.agent === undefined ? [] : [l10n.t('Agent: {0}', labelText(asked.agent, nameLength))]),
		...(message === '' ? [] : [l10n.t('It says: {0}', labelText(message, messageLength))]),
	];
	const chosen = await vscode.window.showWarningMessage(
		l10n.t('Open {0} in the browser?', labelText(new URL(url).host, lineLength)),
		{ modal: true, detail: [who, addressLines(url)].map((lines) => lines.join('\n')).join('\n\n') },
		open,
		copy,
		decline,
	);
	// The dialog stays open after its question has ended.
	if (signal.aborted || chosen === undefined) return { action: 'cancel' };
	if (chosen === decline) return { action: 'decline' };
	if (chosen === copy) await vscode.env.clipboard.writeText(url);
	return chosen === copy || (await openExactUrl(url, vscode)) ? { action: 'accept' } : { action: 'cancel' };
}
