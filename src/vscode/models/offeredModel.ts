import type * as vscode from 'vscode';
import type { ModelDefinition } from '../../config/models/models.ts';
import type { ChatModel } from '../../models/chatModel.ts';

/** A model's entry in VS Code's picker, and how to load the model. */
export interface OfferedModel {
	readonly information: vscode.LanguageModelChatInformation;
	/** Absent: the configuration does not name the model, and it needs no key. */
	readonly definition?: ModelDefinition;
	/** Loads the model's code with its first request. */
	readonly load: () => Promise<ChatModel>;
}
