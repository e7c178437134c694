import * as vscode from 'vscode';
import { assertNever } from '../../common/assertNever.ts';
import { JoinedSignal } from '../../common/cancellation.ts';
import { plain } from '../../common/markdown.ts';
import { isEditorTool } from '../../discovery/catalog/policy.ts';
import { resultText } from '../../discovery/catalog/tool.ts';
import type { PermissionRule } from '../../mcp/accepted/permissions.ts';
import type { Services } from '../../services.ts';
import { tokenOf } from '../ui/cancellation.ts';
import { resultFromParts } from '../ui/editorParts.ts';
import { ruleRecord } from '../ui/permissionLabels.ts';
import { callQuestion, confirmsEverything } from '../ui/toolCalls.ts';
import {
	type CallChoice,
	callChoices,
	type LabelledChoice,
	questionText,
	type WaitingCall,
} from './callQuestion.ts';

/** What questions before calls take. */
export type AskingServices = Pick<Services, 'sessions' | 'trust' | 'app' | 'log'>;

/** Whether a call is made, and on whose word. */
export type CallPermission =
	/** `every`: of equal calls in one answer each, and not only the first. */
	| { readonly kind: 'allowed'; readonly by: 'user' | 'reading' | PermissionRule; readonly every?: boolean }
	| { readonly kind: 'declined' }
	| { readonly kind: 'never' };

/** The editor's tool that asks the user in the chat with buttons of ours, and answers with the words of the one that was pressed. */
const questionTool = 'vscode_get_confirmation_with_options';
/** What that tool answers where the editor asks with its own buttons, or where the user lets it go on without asking in that chat. */
const plainYes = 'yes';

/**
 * Decides a call by what the user has said before, else asks. What they decide while it waits, in the question of another call or anywhere
 * else, counts for it at once. Rejects where it is stopped.
 */
export async function permissionFor(
	call: WaitingCall,
	token: vscode.ChatParticipantToolToken | undefined,
	signal: AbortSignal,
	services: AskingServices,
): Promise<CallPermission> {
	const {
		trust: { confirmation, permissions, approvals },
		app,
		log,
	} = services;
	const verdict = () => confirmation.verdict({ ...call, carriesText: call.flows.length > 0 });
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
			choice = await ask(call, token, ending.signal, services);
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
			case 'every':
				log.info(`${call.times} equal calls of ${call.tool.id} allowed`);
				return { kind: 'allowed', by: 'user', every: true };
			case 'show':
				await (await app()).runs.show({ tool: call.tool, args: call.args });
				continue;
			case 'trust':
				await approvals.setTrustsHints(call.tool.server, true);
				return { kind: 'allowed', by: 'user' };
			case 'rule': {
				await permissions.keep({ ...choice.rule, since: Date.now() });
				if (choice.rule.decision === 'never') return { kind: 'never' };
				// Where the server is not approved any more there is no rule: then what was said counts for this call alone.
				const after = verdict();
				return { kind: 'allowed', by: after.kind === 'runs' ? after.by : 'user' };
			}
			default:
				assertNever(choice);
		}
	}
}

async function ask(
	call: WaitingCall,
	token: vscode.ChatParticipantToolToken | undefined,
	signal: AbortSignal,
	{ sessions, trust: { confirmation } }: AskingServices,
): Promise<CallChoice> {
	const isDoubted = confirmation.isDoubted(call.tool);
	const choices = callChoices(call, {
		canKeep: !isEditorTool(call.tool, sessions.policy),
		canAllow: call.flows.length === 0 && !confirmsEverything(),
		isDoubted,
		tools: sessions.catalog.tools.filter(({ server }) => server === call.tool.server),
	});
	// The editor shows this title without the characters that mean something in Markdown: the exact name stands in the text below it.
	const title = plain(callQuestion(call.tool).replaceAll('_', ' '));
	const message = questionText(call, isDoubted);
	const isThere = vscode.lm.tools.some(({ name }) => name === questionTool);
	const answer = isThere
		? await answerInChat(title, message, choices, token, signal)
		: await answerInDialog(callQuestion(call.tool), message, choices);
	signal.throwIfAborted();
	return choiceOf(answer, choices);
}

/** What was pressed. Whatever is not known to be a yes is none. */
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
	const cancellation = tokenOf(signal);
	const input = { title, message, buttons: choices.map(({ label }) => label) };
	try {
		const { content } = await vscode.lm.invokeTool(
			questionTool,
			{ input, toolInvocationToken },
			cancellation.token,
		);
		return resultText(resultFromParts(content));
	} catch (error) {
		// A no to a question outside of a chat, which is a dialog.
		if (!signal.aborted && isCancellation(error)) return undefined;
		throw error;
	} finally {
		cancellation.dispose();
	}
}

/** The editor's errors lose their class on their way to an extension. */
function isCancellation(error: unknown): boolean {
	return (
		error instanceof vscode.CancellationError || (error instanceof Error && error.name.startsWith('Canceled'))
	);
}

/** For editors without that tool. */
async function answerInDialog(
	title: string,
	message: string,
	choices: readonly LabelledChoice[],
): Promise<string | undefined> {
	const labels = choices.filter(({ choice }) => choice.kind !== 'skip').map(({ label }) => label);
	return vscode.window.showWarningMessage(title, { modal: true, detail: message }, ...labels);
}
