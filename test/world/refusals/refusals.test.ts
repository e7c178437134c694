import { describe, expect, test } from 'vitest';
import { defined } from '../../../src/common/json.ts';
import { readEvents } from '../../../src/models/http/eventStream.ts';
import { failureOfEditorModel, failureOfResponse } from '../../../src/models/http/failure.ts';
import type { ModelErrorReason } from '../../../src/models/modelError.ts';
import { endpointAt } from '../../providers/loopback.ts';
import { rowsOf } from '../rows.ts';

/** A refusal as a provider sent it, shortened, without names of accounts. */
interface Refusal {
	/** The public report, as `owner/repository#number`. */
	readonly from: string;
	readonly status: number;
	readonly reason: ModelErrorReason;
	/** How long to wait, in milliseconds, by the body. */
	readonly waitMs?: number;
	/** The limit of the context that it names, in tokens. */
	readonly context?: number;
	readonly body: unknown;
}

/** An error that a model in VS Code failed with, as an extension gets it, shortened. */
interface EditorRefusal {
	readonly message: string;
	readonly reason: ModelErrorReason;
	/** The name or the code of the error, if it says more than `Error`. */
	readonly name?: string;
	readonly code?: string;
	readonly status?: number;
	readonly waitMs?: number;
	readonly context?: number;
	/** What the user is told of it. */
	readonly said?: string;
	readonly from: string;
}

/** Each line of a file is a refusal: those that were read before the rules were written, and those that were read later. */
const rows = ['before', 'after']
	.flatMap((name) => rowsOf<Refusal>(`refusals/${name}`))
	.map((row) => ({ ...row, words: JSON.stringify(row.body) }));
const ofEditor = rowsOf<EditorRefusal>('refusals/ofEditor');

describe('what a provider refuses', () => {
	test('is told by a hundred bodies', () => {
		expect(rows.length).toBeGreaterThanOrEqual(100);
	});

	test.each(rows)('$status $words is $reason ($from)', async ({ reason, waitMs, context, ...row }) => {
		const failure = await failureIn(row);
		expect(failure).toMatchObject({ reason, retryAfterMs: waitMs });
		expect(Object(failure).limits.contextTokens).toBe(context);
		// The user sees the provider's own words, whatever form its body has.
		expect(Object(failure).providerText).toMatch(/\S/);
	});

	test.each(ofEditor)('VS Code: $name $code $message is $reason ($from)', (row) => {
		const { message, name, code, reason, status, waitMs, context, said } = row;
		const error = Object.assign(new Error(message), { ...(name && { name }), ...(code && { code }) });
		// VS Code's own error for whatever a provider threw.
		const wrapped = Object.assign(new Error('Unknown error', { cause: error }), { code: 'Unknown' });
		for (const thrown of [error, wrapped]) {
			const failure = failureOfEditorModel('GPT-4.1 (copilot)', thrown);
			expect(failure).toMatchObject({
				reason,
				retryAfterMs: waitMs,
				...defined({ status, providerText: said }),
			});
			expect(failure.limits.contextTokens).toBe(context);
			expect(failure.message).toMatch(/^GPT-4\.1 \(copilot\) [^{}]*[.!]$/);
		}
	});
});

async function failureIn({ status, body }: Pick<Refusal, 'status' | 'body'>): Promise<unknown> {
	const endpoint = endpointAt('https://api.example/v1');
	const text = JSON.stringify(body);
	const response = new Response(text, { status });
	if (status !== 200) return failureOfResponse(endpoint, response, text, false);
	const reader = {
		readsLines: false,
		isOver: false,
		isLast: () => false,
		isWhole: () => false,
		read: () => undefined,
	};
	return readEvents(endpoint, Promise.resolve(response), reader);
}
