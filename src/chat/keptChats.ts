import { sealed, unsealed } from '../common/atomicFile.ts';
import type { ToolCall } from '../discovery/catalog/message.ts';
import { callToolName, unwrappedCall } from '../discovery/catalog/syntheticTool.ts';
import type { KeptPrompt } from '../discovery/session/chatPrompt.ts';
import type { DiscoverySession } from '../discovery/session/discoverySession.ts';
import { BoundedFolder, chatFolderLimits } from './boundedFolder.ts';
import { trimCharacters } from './contextTrim.ts';
import type { KeptTranscript, Transcript } from './transcript.ts';

/** Characters that are kept of one chat; of a longer one the oldest results of tools, pictures and thoughts are left out. */
const chatCharacters = 4 * 1024 * 1024;

/** To be raised when what is kept changes its form: older files are then left aside. */
const form = 2;

/** A chat as it is kept. */
interface KeptChat {
	readonly transcript: KeptTranscript;
	readonly prompt?: KeptPrompt | undefined;
	/** By the name of their template. */
	readonly systemPrompts: readonly (readonly [string, string])[];
}

/** What of a chat is kept. */
export interface OpenChat {
	readonly id: string;
	readonly discovery: DiscoverySession;
	readonly transcript: Transcript;
	readonly systemPrompts: Map<string, string>;
}

/**
 * Chats as models know them, for when the window is opened again: the editor's history has only what was shown, a few per cent of it. As
 * files of the workspace's own storage that only their owner can read, without what the connections have masked as secret.
 */
export class KeptChats {
	readonly #folder: BoundedFolder;

	constructor(folder: string, limits = chatFolderLimits) {
		this.#folder = new BoundedFolder(folder, limits);
	}

	/** Keeps a chat as it is now. Rejects if it cannot be written. */
	async keep({ id, discovery, transcript, systemPrompts }: OpenChat): Promise<void> {
		const { messages, ...others } = transcript.kept;
		const kept = [...messages];
		// A chat that cannot be made short enough would come back without its beginning; then its history is the better source.
		if (trimCharacters(kept, chatCharacters) > chatCharacters) return this.#folder.remove(id);
		const chat: KeptChat = {
			transcript: { ...others, messages: kept },
			prompt: discovery.keptPrompt,
			systemPrompts: [...systemPrompts],
		};
		await this.#folder.replace(id, Buffer.from(sealed(form, JSON.stringify(chat).slice(1, -1))));
	}

	/** Takes up a chat of an earlier window; nothing where it is not kept, or something was said in this one. */
	async restore({ id, discovery, transcript, systemPrompts }: OpenChat): Promise<void> {
		if (!transcript.isEmpty) return;
		const kept = await this.#read(id);
		// A new turn may have begun while the file was read.
		if (!kept || !transcript.isEmpty) return;
		transcript.restore(kept.transcript, (call) => serverOf(call, discovery));
		if (kept.prompt) discovery.resume(kept.prompt);
		for (const [template, text] of kept.systemPrompts) systemPrompts.set(template, text);
	}

	/** What was said in a chat that is kept; nothing where it is not. */
	async transcript(id: string): Promise<KeptTranscript | undefined> {
		return (await this.#read(id))?.transcript;
	}

	async #read(id: string): Promise<KeptChat | undefined> {
		try {
			// A damaged file is not used at all: its chat comes back as its history shows it, which is better than half of it.
			return unsealed(form, String(await this.#folder.read(id))) as KeptChat;
		} catch {
			// There is no such file, or it is none of ours.
			return undefined;
		}
	}
}

/** The server whose tool was called. Of a tool that is gone, the wire name tells it. */
function serverOf({ name, input }: ToolCall, { surface }: DiscoverySession): string | undefined {
	const inner = name === callToolName ? unwrappedCall(input) : undefined;
	const wireName = inner?.ok ? inner.name : name;
	const [prefix, ...rest] = wireName.split('__');
	return surface.get(wireName)?.server ?? (rest.length > 0 ? prefix : undefined);
}
