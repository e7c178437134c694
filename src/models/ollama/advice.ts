import type { Endpoint } from '../endpoint.ts';
import { hostOf } from '../http/failure.ts';
import { ModelError } from '../modelError.ts';

/** What to do about a failure where Ollama has a better answer than to check the configuration; else the failure itself. */
export function withOllamaAdvice(failure: ModelError, endpoint: Endpoint, model: string): ModelError {
	const said = adviceFor(failure, hostOf(endpoint), model);
	if (said === undefined) return failure;
	const { reason, status, retryAfterMs } = failure;
	return new ModelError(reason, said, { status, retryAfterMs, cause: failure });
}

/** Ollama tells these cases apart in words only. */
function adviceFor({ reason, message }: ModelError, host: string, model: string): string | undefined {
	if (reason === 'notFound' && /\bmodel ['"][^'"]+['"] not found/.test(message))
		return `${host} has no model “${model}”. Get it with \`ollama pull ${model}\`, or pick another model.`;
	if (reason === 'invalidRequest' && message.includes('does not support tools'))
		return `“${model}” cannot call tools. Pick a model that can: ollama.com/search?c=tools lists them.`;
	if (reason === 'unauthorized')
		return `${host} wants to know who asks “${model}”. Run \`ollama signin\` there, or set a key with the command “Discovery: Set API Key…”.`;
	return undefined;
}
