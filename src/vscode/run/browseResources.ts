import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { folded, visible } from '../../common/text.ts';
import { expandTemplate, templateVariables } from '../../common/uriTemplate.ts';
import { resourceResult } from '../../mcp/callResult.ts';
import type { Resource, ResourceContents, ResourceTemplate } from '../../mcp/connection/offerTypes.ts';
import type { ServerPool } from '../../mcp/serverPool.ts';
import { inNotification } from '../ui/cancellation.ts';
import { commands, ids } from '../ui/ids.ts';
import { askCompletedValues } from '../ui/inputs/completedInput.ts';
import { showInput } from '../ui/inputs/quickInputs.ts';
import { labelText, lineLength } from '../ui/labelText.ts';
import { dialogTitle, say, showError } from '../ui/messages.ts';
import type { ReadingDocuments } from '../ui/readingEditor.ts';
import { PrivateFiles } from '../ui/savedFiles.ts';
import { fileName, isViewable, sizeText } from './result.ts';
import { offerFiles } from './resultFiles.ts';

/** Characters of a shown document. */
const shownCharacters = 5_000_000;
const nameLength = 80;

interface Row extends vscode.QuickPickItem {
	readonly open?: Resource | ResourceTemplate;
}

/** Lists the resources of a server and opens one read-only. */
export class ResourceBrowser implements vscode.Disposable {
	readonly #pool: ServerPool;
	readonly #documents: ReadingDocuments<string>;
	readonly #files = new PrivateFiles();

	constructor(pool: ServerPool, documents: ReadingDocuments<string>) {
		this.#pool = pool;
		this.#documents = documents;
	}

	dispose(): void {
		this.#files.dispose();
	}

	async browse(server: string): Promise<void> {
		const title = l10n.t('Discovery: reading resources of {0}…', server);
		const { resources, templates, cutShort } = await inNotification(title, ({ signal }) =>
			this.#pool.withClient(server, (client) => client.resources(signal), { signal }),
		);
		if (resources.length + templates.length === 0) {
			say(l10n.t('{0} has no resources.', server));
			return;
		}
		const chosen = await this.#choose(server, [
			...separator(l10n.t('Resources'), resources),
			...resources.map(row),
			...separator(l10n.t('Resource Templates'), templates),
			...templates.map(row),
			...(cutShort === undefined
				? []
				: [{ label: labelText(cutShort, lineLength), kind: vscode.QuickPickItemKind.Separator }]),
		]);
		if (!chosen) return;
		const uri = 'uri' in chosen ? chosen.uri : await this.#filled(server, chosen);
		if (uri !== undefined) await this.#open(server, uri, chosen.name);
	}

	async #choose(server: string, rows: readonly Row[]): Promise<Resource | ResourceTemplate | undefined> {
		const pick = vscode.window.createQuickPick<Row>();
		pick.placeholder = l10n.t('Select a resource');
		pick.matchOnDescription = true;
		pick.matchOnDetail = true;
		pick.items = rows;
		pick.onDidTriggerItemButton(async ({ item: { open } }) => {
			if (!open) return;
			await vscode.env.clipboard.writeText('uri' in open ? open.uri : open.uriTemplate);
			say(l10n.t('copied the URL.'));
		});
		const title = `${dialogTitle(commands.browseResources)}: ${labelText(server, lineLength)}`;
		const reply = await showInput<Row | undefined>(pick, { title }, (answer) =>
			pick.onDidAccept(() => answer(pick.selectedItems[0])),
		);
		return reply.kind === 'answer' ? reply.answer?.open : undefined;
	}

	async #filled(server: string, { uriTemplate, name, title }: ResourceTemplate): Promise<string | undefined> {
		const variables = templateVariables(uriTemplate).map(({ name, required }) => ({
			name,
			prompt: name,
			required,
		}));
		const values = await askCompletedValues(title ?? name, variables, (argument, value, others, signal) =>
			this.#pool.withClient(
				server,
				(client, options) =>
					client.complete({ of: { template: uriTemplate }, argument, value, others }, options),
				{ signal },
			),
		);
		return values && expandTemplate(uriTemplate, values);
	}

	async #open(server: string, uri: string, name: string): Promise<void> {
		const title = l10n.t('Discovery: reading {0}…', labelText(uri, lineLength));
		const parts = await inNotification(title, ({ signal }) =>
			this.#pool.withClient(server, (client, options) => client.readResource(uri, options), {
				signal,
				onSignIn: (why) => {
					throw why;
				},
			}),
		);
		if (parts.length === 0) throw new Error(l10n.t('{0} is empty.', labelText(uri, lineLength)));
		for (const [index, part] of parts.entries()) {
			if ('text' in part) await this.#openText(documentName(part, name), part.text, part.uri);
			else await this.#openBytes(part, index + 1);
		}
	}

	async #openText(name: string, text: string, source: string): Promise<void> {
		const uri = this.#documents.add(name, { text: text.slice(0, shownCharacters), source });
		const document = await vscode.workspace.openTextDocument(uri);
		const ending = name.split('.').at(-1)?.toLowerCase() ?? '';
		await vscode.languages.setTextDocumentLanguage(document, languages.get(ending) ?? 'plaintext');
		await vscode.window.showTextDocument(document);
	}

	async #openBytes(part: ResourceContents & { readonly blob: string }, number: number): Promise<void> {
		const mimeType = part.mimeType ?? '';
		if (!isViewable({ mimeType })) {
			// It waits for the user.
			void offerFiles('resource', resourceResult([part]), this.#files).catch(showError);
			return;
		}
		const bytes = Buffer.from(part.blob, 'base64');
		const written = await this.#files.write(fileName('resource', number, { mimeType }), bytes);
		await vscode.commands.executeCommand('vscode.open', written);
	}
}

/** Copies the address of a row. */
const copyButton = { iconPath: new vscode.ThemeIcon('copy'), tooltip: l10n.t('Copy URL') };

function row(open: Resource | ResourceTemplate): Row {
	const { name, title, description = '', mimeType = '' } = open;
	const address = 'uri' in open ? open.uri : open.uriTemplate;
	const size = 'size' in open && open.size !== undefined ? sizeText(open.size) : '';
	return {
		label: labelText(title ?? name, lineLength),
		description: labelText([mimeType, size].filter(Boolean).join(' · '), lineLength),
		detail: labelText([address, description].filter(Boolean).join(' — '), lineLength),
		buttons: [copyButton],
		open,
	};
}

function separator(label: string, rows: readonly unknown[]): readonly Row[] {
	return rows.length > 0 ? [{ label, kind: vscode.QuickPickItemKind.Separator }] : [];
}

/** File extensions by MIME type; the first match counts. */
const endings: readonly (readonly [RegExp, string])[] = [
	[/markdown/, 'md'],
	[/json/, 'json'],
	[/html/, 'html'],
	[/xml/, 'xml'],
	[/yaml/, 'yaml'],
	[/javascript/, 'js'],
	[/typescript/, 'ts'],
	[/python/, 'py'],
	[/csv/, 'csv'],
];

/**
 * Languages by file extension; anything else is plain text. In none of these can a link run a command, as it could in VS Code's own
 * Markdown and HTML.
 */
const languages: ReadonlyMap<string, string> = new Map([
	...['md', 'markdown'].map((ending) => [ending, ids.markdownLanguage] as const),
	...['xml', 'html', 'htm', 'svg'].map((ending) => [ending, 'xml'] as const),
	...['yaml', 'yml'].map((ending) => [ending, 'yaml'] as const),
	...['json', 'sql', 'go', 'java'].map((ending) => [ending, ending] as const),
	['js', 'javascript'],
	['ts', 'typescript'],
	['py', 'python'],
	['rs', 'rust'],
	['sh', 'shellscript'],
]);

/** The resource's name, with an extension that decides the language. */
function documentName({ uri, mimeType = '' }: ResourceContents, resource: string): string {
	const last = decoded(uri.split(/[?#]/, 1)[0]?.split('/').filter(Boolean).at(-1) ?? '');
	const [name = ids.resourceScheme] = [last, resource]
		.map((text) => folded(visible(text), nameLength).replaceAll(/[\\/:]+/g, '-'))
		.sort((a, b) => Number(hasEnding(b)) - Number(hasEnding(a)))
		.filter((text) => text !== '');
	if (hasEnding(name)) return name;
	return `${name}.${endings.find(([type]) => type.test(mimeType))?.[1] ?? 'txt'}`;
}

function hasEnding(name: string): boolean {
	return /[^.]\.[a-z]\w{0,9}$/i.test(name);
}

function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}
