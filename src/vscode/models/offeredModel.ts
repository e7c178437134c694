import type * as vscode from 'vscode';
import type { ModelDefinition } from '../../config/models/models.ts';
import type { ChatModel } from '../../models/chatModel.ts';

/** What VS Code's model picker shows of one of our models, and how to get at it. */
export interface OfferedModel {
	readonly information: vscode.LanguageModelChatInformation;
	/** What the configuration says of it; absent: it is not of the configuration, and needs no key. */
	readonly definition?: ModelDefinition;
	/** Makes the model when it is first asked something: its code need not be there for the extension to activate. */
	readonly load: () => Promise<ChatModel>;
}
