import { addressFault } from './address.ts';
import { quoted } from './place.ts';
import type { ProblemReport } from './problemReport.ts';
import type { SalvagedConfig } from './serverEntry.ts';
import { suggestion } from './suggestion.ts';
import { expandAt, type VariableScope } from './variables.ts';

/** Checks `clients` and `models` beyond their shape. This version does not use them, but a fault shows at once. */
export function checkModels(config: SalvagedConfig, scope: VariableScope, report: ProblemReport): void {
	for (const [name, client] of config.clients ?? []) {
		if (client.base_url === undefined) continue;
		const path = ['clients', name, 'base_url'];
		const fault = addressFault(expandAt(path, client.base_url, scope, report));
		if (fault) report.error(path, fault);
	}
	const clientNames = [...(config.clients?.keys() ?? [])];
	for (const [name, model] of config.models ?? []) {
		const path = ['models', name];
		const { client } = model;
		if (client !== undefined && !config.clients?.has(client)) {
			const message = () => `there is no client ${quoted(client)}${suggestion(client, clientNames)}`;
			report.error([...path, 'client'], message);
		}
		if (model.template !== undefined && !isTemplateName(model.template)) {
			report.error(
				[...path, 'template'],
				'expected the name of a file in prompt-templates, without a folder',
			);
		}
	}
}

function isTemplateName(template: string): boolean {
	return template !== '' && !/[/\\\p{Cc}]/u.test(template) && !template.startsWith('.');
}
