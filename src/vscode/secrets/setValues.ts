import * as l10n from '@vscode/l10n';
import { nameVerdict } from '../../common/secrets/secretVerdict.ts';
import { secretNameFault } from '../../config/secrets/environmentNames.ts';
import type { ActionNode } from '../actions/action.ts';
import type { Configuration } from '../core/configuration.ts';
import type { SecretVariables } from '../core/secretVariables.ts';
import { commands } from '../ui/ids.ts';
import { askSteps, askText } from '../ui/inputs/quickInputs.ts';
import { labelText } from '../ui/labelText.ts';
import { dialogTitle, say } from '../ui/messages.ts';

/** Asks for the values that a faulty server lacks, one after the other, and stores them: the configuration is then read again by itself. */
export async function setValues(
	{ configFile, secrets }: { readonly configFile: Configuration; readonly secrets: SecretVariables },
	node: ActionNode | undefined,
): Promise<void> {
	if (node?.kind !== 'faulty') return;
	const uri = configFile.server(node.name)?.file.place.uri;
	const folder = uri && configFile.fileAt(uri)?.folder;
	if (!folder) return;
	for (const fault of node.unset.map(secretNameFault)) if (fault !== undefined) throw new Error(fault);
	const values = new Map<string, string>();
	const ending = await askSteps(
		{ title: `${dialogTitle(commands.setValue)}: ${labelText(node.name)}`, canLeave: false },
		() => node.unset,
		async (name, question) => {
			const reply = await askText({
				...question,
				prompt: l10n.t('{0}: {1}', name, l10n.t('Stored in VS Code’s secret storage.')),
				placeholder: '',
				text: values.get(name) ?? '',
				secret: nameVerdict(name) !== 'plain',
				check: async (text) => (text === '' ? l10n.t('Enter a value.') : undefined),
			});
			if ('text' in reply) values.set(name, reply.text);
			return { kind: reply.kind === 'elsewhere' ? 'answer' : reply.kind };
		},
	);
	if (ending !== 'answer') return;
	await secrets.store(
		folder,
		[...values].map(([name, value]) => ({ name, value })),
	);
	say(l10n.t('{0} is set.', [...values.keys()].join(', ')));
}
