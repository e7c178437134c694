import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import { assertNever } from '../../common/assertNever.ts';
import { abortable, JoinedSignal } from '../../common/cancellation.ts';
import { plain, withoutEscapes } from '../../common/markdown.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import { resultText } from '../../discovery/catalog/tool.ts';
import type { PermissionRule } from '../../mcp/accepted/permissions.ts';
import type { Approvals } from '../core/approvals.ts';
import type { Permissions } from '../core/permissions.ts';
import { invokedTool } from '../ui/editorParts.ts';
import type { Log } from '../ui/log.ts';
import { ruleRecord } from '../ui/permissionLabels.ts';
import type { CallConfirmation, CallVerdict } from '../ui/toolCalls.ts';
import { callQuestion, confirmsEverything } from '../ui/toolCalls.ts';
import {
	type CallChoice,
	callChoices,
	type LabelledChoice,
	questionText,
	type WaitingCall,
} from './callQuestion.ts';

/** Shows a call in an editor. */
export interface CallViewer {
	show(call: { readonly tool: CatalogTool; readonly args: Readonly<Record<string, unknown>> }): Promise<void>;
}

/** Whether a call may run, and who decided that. */
export type CallPermission =
	| { readonly kind: 'allowed'; readonly by: 'user' | 'reading' | PermissionRule }
	| { readonly kind: 'declined' }
	| { readonly kind: 'never' };

/** VS Code's tool that asks in the chat with custom buttons. It returns the label of the pressed button. */
const questionTool = 'vscode_get_confirmation_with_options';
const asksInChat = () => vscode.lm.tools.some(({ name }) => name === questionTool);
/** How often this window still checks whether VS Code has registered that tool. An editor without it is not waited for again. */
let waitsLeft = 30;
const waitMs = 200;
/** What that tool returns when VS Code asks with its own buttons, or does not ask at all in this chat. */
const plainYes = 'yes';

interface AskingParts {
	readonly confirmation: CallConfirmation;
	readonly permissions: Permissions;
	readonly approvals: Approvals;
	/** Shows a call whole. */
	readonly runs: CallViewer;
	readonly log: Log;
}

/** Decides whether calls may run, by the user's rules or by a question. */
export class CallPermissions {
	readonly #parts: AskingParts;

	constructor(parts: AskingParts) {
		this.#parts = parts;
	}

	/** What the user's rules say of a call now. */
	verdict(call: WaitingCall): CallVerdict {
		return this.#parts.confirmation.verdict(call);
	}

	/** A read-only call may run any number of times. */
	onlyReads(call: WaitingCall): boolean {
		const verdict = this.verdict(call);
		return verdict.kind === 'runs' && verdict.by === 'reading';
	}

	/**
	 * Decides a call by the user's rules, else asks. A rule that the user makes while the question is open, here or elsewhere, decides at
	 * once. Rejects when stopped.
	 */
	async decide(
		call: WaitingCall,
		token: vscode.ChatParticipantToolToken | undefined,
		signal: AbortSignal,
	): Promise<CallPermission> {
		const { confirmation, permissions, approvals, runs, log } = this.#parts;
		const verdict = () => this.verdict(call);
		for (;;) {
			signal.throwIfAborted();
			const now = verdict();
			if (now.kind === 'never') {
				log.info(`call of ${call.tool.id} refused by the rule: ${ruleRecord(now.by)}`);
				return { kind: 'never' };
			}
			if (now.kind === 'runs') {
				if (now.by !== 'reading')
					log.info(`call of ${call.tool.id} let through by the rule: ${ruleRecord(now.by)}`);
				return { kind: 'allowed', by: now.by };
			}
			const decided = new AbortController();
			const look = () => {
				if (verdict().kind !== 'asks') decided.abort();
			};
			const subscriptions = [permissions.onDidChange(look), approvals.onDidChange(look)];
			const ending = new JoinedSignal(signal, decided.signal);
			let choice: CallChoice;
			try {
				choice = await ask(call, confirmation.isDoubted(call.tool), token, ending.signal);
			} catch (error) {
				if (decided.signal.aborted && !signal.aborted) continue;
				throw error;
			} finally {
				for (const subscription of [...subscriptions, ending]) subscription.dispose();
			}
			switch (choice.kind) {
				case 'skip':
					return { kind: 'declined' };
				case 'once':
					log.info(`call of ${call.tool.id} allowed once`);
					return { kind: 'allowed', by: 'user' };
				case 'show':
					await runs.show({ tool: call.tool, args: call.args });
					continue;
				case 'trust':
					await approvals.setTrustsHints(call.tool.server, true);
					return { kind: 'allowed', by: 'user' };
				case 'rule': {
					await permissions.keep({ ...choice.rule, since: Date.now() });
					if (choice.rule.decision === 'never') return { kind: 'never' };
					// Without a rule, because the server is no longer approved, the decision counts for this call only.
					const after = verdict();
					return { kind: 'allowed', by: after.kind === 'runs' ? after.by : 'user' };
				}
				default:
					assertNever(choice);
			}
		}
	}
}

async function ask(
	call: WaitingCall,
	isDoubted: boolean,
	token: vscode.ChatParticipantToolToken | undefined,
	signal: AbortSignal,
): Promise<CallChoice> {
	const choices = callChoices(call, {
		canAllow: call.concerns.length === 0 && !confirmsEverything(),
		isDoubted,
	});
	const question = callQuestion(call.tool);
	// VS Code drops Markdown characters from this title. The text below it has the exact name.
	const title = plain(question.replaceAll('_', ' '));
	const message = questionText(call, isDoubted);
	const inDialog = () => abortable(answerInDialog(question, message, choices), signal);
	// Without a chat, VS Code asks with two buttons of its own: there would be no rule to choose.
	if (token === undefined && call.chat === undefined) return choiceOf(await inDialog(), choices);
	const inChat = () => answerInChat(title, message, choices, token, signal);
	const answer = await inChat().catch(async (error: unknown) => {
		if (signal.aborted || asksInChat()) throw error;
		// VS Code registers it some seconds after a window was opened.
		for (; !asksInChat() && waitsLeft > 0; waitsLeft--) await abortable(setTimeout(waitMs), signal);
		return asksInChat() ? inChat() : inDialog();
	});
	signal.throwIfAborted();
	// VS Code may be set to allow everything unasked; that is no answer to a warning.
	const isAnswered = answer !== plainYes || call.concerns.length === 0;
	return choiceOf(isAnswered ? answer : await inDialog(), choices);
}

/** Anything that is not known to mean yes means no. */
function choiceOf(answer: string | undefined, choices: readonly LabelledChoice[]): CallChoice {
	if (answer === plainYes) return { kind: 'once' };
	return choices.find(({ label }) => label === answer)?.choice ?? { kind: 'skip' };
}

async function answerInChat(
	title: string,
	message: string,
	choices: readonly LabelledChoice[],
	toolInvocationToken: vscode.ChatParticipantToolToken | undefined,
	signal: AbortSignal,
): Promise<string | undefined> {
	const input = { title, message, buttons: choices.map(({ label }) => label) };
	try {
		return resultText(await invokedTool(questionTool, input, toolInvocationToken, signal));
	} catch (error) {
		// Outside a chat the question is a dialog, and dismissing it means no.
		if (!signal.aborted && isCancellation(error)) return undefined;
		throw error;
	}
}

/** Errors lose their class between VS Code and an extension. */
function isCancellation(error: unknown): boolean {
	return (
		error instanceof vscode.CancellationError || (error instanceof Error && error.name.startsWith('Canceled'))
	);
}

/** Outside a chat, and for editors without that tool. */
async function answerInDialog(
	title: string,
	message: string,
	choices: readonly LabelledChoice[],
): Promise<string | undefined> {
	const labels = choices.filter(({ choice }) => choice.kind !== 'skip').map(({ label }) => label);
	return vscode.window.showWarningMessage(title, { modal: true, detail: withoutEscapes(message) }, ...labels);
}
