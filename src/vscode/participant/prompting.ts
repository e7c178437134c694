import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AnswerInProgress } from '../../chat/answersInProgress.ts';
import { withoutAddress } from '../../chat/chatHistory.ts';
import type { ReadTexts } from '../../chat/results/readTexts.ts';
import type { ChatSession } from '../../chat/sessions.ts';
import { defaultSystemPrompt, systemPromptIn } from '../../chat/systemPrompt.ts';
import { plain } from '../../common/markdown.ts';
import type { ModelDefinition } from '../../config/models/models.ts';
import type { UserMessage } from '../../discovery/catalog/message.ts';
import type { DiscoverySession } from '../../discovery/session/discoverySession.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { isPlanner } from '../ui/ids.ts';
import { openDocument } from '../ui/readingEditor.ts';
import { readBytes } from '../ui/textFiles.ts';
import { takesImages } from '../ui/unsupported.ts';
import { type AttachmentReader, attachments } from './attachments.ts';
import { interruptedLine, interruptedNews } from './interrupted.ts';
import type { KnownSecrets } from './knownSecrets.ts';

const warningCharacters = 500;

/** A message of the user as the model gets it. */
interface Prompt {
	readonly message: UserMessage;
	/** Sentences for the user: what was cut, masked, not sent or interrupted. */
	readonly notices: readonly string[];
	/** What the editor lists as used. */
	readonly used: readonly (vscode.Uri | vscode.Location)[];
}

/** What a model is asked: the user's message with its attachments, without secrets, and the system prompt. */
export class Prompting {
	readonly #secrets: KnownSecrets;
	readonly #reads: ReadTexts;
	readonly #sandbox: Sandbox;

	constructor(secrets: KnownSecrets, reads: ReadTexts, sandbox: Sandbox) {
		this.#secrets = secrets;
		this.#reads = reads;
		this.#sandbox = sandbox;
	}

	/** `interrupted`: the chat's last answer, if closing the window interrupted it. */
	async message(
		request: Pick<vscode.ChatRequest, 'prompt' | 'references' | 'model'>,
		interrupted: AnswerInProgress | undefined,
	): Promise<Prompt> {
		// Without a mask, no text is attached.
		const mask =
			request.references.length > 0 ? await this.#secrets.mask().catch(() => undefined) : undefined;
		const { images, text: attached, used, faults } = await attachments(request, attachmentReader, mask);
		const message: UserMessage = {
			role: 'user',
			text: withoutAddress(request.prompt),
			...(images.length > 0 && { images }),
			...(attached !== undefined && { attached }),
			...(interrupted && { news: interruptedNews(interrupted) }),
		};
		return {
			message,
			notices: [
				...faults,
				...unreadNotice(message, request.model),
				...(interrupted ? [interruptedLine(interrupted)] : []),
			],
			used,
		};
	}

	/** Remembers what the chat has read, to compare calls with it. `text`: the user's own words. */
	async keepReads({ id, discovery }: ChatSession, text: string): Promise<void> {
		await this.#reads.restored();
		this.#reads.addLog(id, discovery.log.entries);
		this.#reads.addUserText(id, text);
	}

	/** The system prompt from the chosen model's template, else our own. If the template cannot be rendered: our own, with a warning. */
	async system(
		definition: ModelDefinition | undefined,
		discovery: DiscoverySession,
	): Promise<{ readonly system: string; readonly warning?: string }> {
		const { file, template } = definition ?? {};
		if (file === undefined || template === undefined) return { system: defaultSystemPrompt };
		// A template's path is relative to the file that names it.
		const folder = vscode.Uri.joinPath(vscode.Uri.parse(file), '..').fsPath;
		const rendered = await systemPromptIn(discovery, { folder, template, sandbox: this.#sandbox });
		if (rendered.kind === 'ok') return { system: rendered.text };
		const warning = l10n.t(
			'{0} The default system prompt is used.',
			plain(rendered.message, warningCharacters),
		);
		return { system: defaultSystemPrompt, warning };
	}
}

/** What a model does not read of a message: it would answer as if nothing were attached. */
function unreadNotice({ images, attached }: UserMessage, model: vscode.LanguageModelChat): readonly string[] {
	if (isPlanner(model))
		return images || attached !== undefined ? [l10n.t('The Offline Planner does not read attachments.')] : [];
	if (!images || takesImages(model)) return [];
	return [l10n.t('“{0}” does not accept pictures, so no picture was sent to it.', model.name)];
}

/** Reads attachments with their unsaved changes. */
const attachmentReader: AttachmentReader = {
	open: (uri) => openDocument(uri)?.getText(),
	bytes: (uri, most) => readBytes(uri, { most }),
	names: async (uri) => {
		const entries = await vscode.workspace.fs.readDirectory(uri);
		return entries.map(([name, type]) => (type & vscode.FileType.Directory ? `${name}/` : name));
	},
	path: (uri) =>
		vscode.workspace.getWorkspaceFolder(uri) && vscode.workspace.asRelativePath(uri).replaceAll('\\', '/'),
};
