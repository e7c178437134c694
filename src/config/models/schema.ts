import * as z from 'zod';
import { efforts } from '../../common/answerSettings.ts';
import { dollars, flag, number, ranges, texts, wholeNumber } from '../schemaKinds.ts';

/** An entry of `clients`. */
export const clientSchema = z
	.object({
		provider: z
			.enum(['openai', 'anthropic', 'ollama'])
			.meta({
				enumDescriptions: [
					'OpenAI, and every endpoint that speaks its protocol: OpenRouter, LM Studio, llama.cpp.',
					'Anthropic.',
					'Ollama, on this machine by default; it needs no key.',
				],
			})
			.describe('Whose protocol the endpoint speaks.'),
		base_url: z
			.string()
			.optional()
			.meta({ examples: ['https://openrouter.ai/api/v1', 'http://localhost:1234/v1'] })
			.describe(
				'Address of the endpoint, where it is not the provider’s own. Keys do not belong in this file.',
			),
		api: z
			.enum(['chat', 'responses'])
			.meta({ enumDescriptions: ['Chat Completions.', 'Responses.'] })
			.optional()
			.describe(
				'Which API of an openai endpoint is asked: "chat" (Chat Completions) or "responses"; best left out.',
			),
		auth: z
			.enum(['key', 'microsoft'])
			.meta({ enumDescriptions: ['With a key.', 'With VS Code’s own sign-in at Microsoft (Entra ID).'] })
			.optional()
			.describe('How requests are allowed: with a "key", or at Azure with a sign-in at "microsoft".'),
		headers: texts()
			.optional()
			.meta({ examples: [{ 'HTTP-Referer': 'https://example.com' }] })
			.describe(
				`Further HTTP headers for this endpoint only. Secrets: "\${env:NAME}"; they are sent after you have agreed once. The key’s own header cannot be set.`,
			),
		organization: z
			.string()
			.min(1)
			.optional()
			.meta({ examples: ['org-…'] })
			.describe('For openai: the organization that pays, as in the header OpenAI-Organization.'),
	})
	.describe('A model provider’s endpoint.');

/** An entry of `models`. */
export const modelSchema = z
	.object({
		client: z.string().describe('Name of an entry of "clients".'),
		model: z.string().min(1).describe('The model’s name, as the provider knows it.'),
		template: z.string().optional().describe('Name of a system prompt: prompt-templates/<name>.j2.'),
		context_tokens: wholeNumber(ranges.contextTokens)
			.optional()
			.meta({ examples: [32_000, 128_000] })
			.describe(
				'Most tokens of prompt and answer together, where the extension does not know or you want fewer.',
			),
		max_output_tokens: wholeNumber(ranges.outputTokens)
			.optional()
			.meta({ examples: [4_096] })
			.describe('Most tokens of one answer.'),
		reasoning_effort: z
			.enum(efforts)
			.meta({
				enumDescriptions: [
					'Not at all: OpenAI from GPT-5.1 on, Ollama.',
					'Hardly: GPT-5.',
					'Little.',
					'As much as most tasks need.',
					'Much.',
					'More than "high": newer models of OpenAI and Anthropic.',
					'As much as there is: newer models of OpenAI and Anthropic.',
				],
			})
			.optional()
			.describe('How much the model thinks before it answers; which of these a model takes is its own.'),
		thinking: z
			.union(
				[
					z.enum(['off', 'adaptive']),
					wholeNumber(ranges.thinkingTokens),
					z.strictObject({
						tokens: wholeNumber(ranges.thinkingTokens).optional(),
						display: z.enum(['summarized', 'omitted']).optional(),
					}),
				],
				{
					error:
						'expected "off", "adaptive", a number of tokens from 1024, or an object such as {"tokens": 8000, "display": "omitted"}',
				},
			)
			.optional()
			.meta({ examples: ['adaptive', 'off', 8_000, { display: 'summarized' }] })
			.describe(
				'Whether the model thinks: "off", "adaptive" (as much as it likes) or up to so many tokens; {"tokens": 8000, "display": "omitted"} also says whether its thoughts come along ("summarized" or "omitted"). For anthropic, ollama and OpenRouter; elsewhere use reasoning_effort.',
			),
		temperature: number(ranges.temperature)
			.optional()
			.meta({ examples: [0, 0.7] })
			.describe('How much chance there is in answers, from 0. Models that think mostly refuse it.'),
		top_p: number(ranges.topP)
			.optional()
			.meta({ examples: [0.9] })
			.describe('Share of the likeliest words that are chosen from, 0 to 1. Set this or the temperature.'),
		parallel_tool_calls: flag()
			.optional()
			.describe('false: the model makes one call at a time. Not for ollama.'),
		service_tier: z
			.string()
			.min(1)
			.optional()
			.meta({ examples: ['flex', 'priority', 'standard_only'] })
			.describe(
				'How urgent requests are, and what they cost: OpenAI takes "auto", "default", "flex", "scale", "priority" and "fast", Anthropic "auto" and "standard_only".',
			),
		images: flag()
			.optional()
			.describe('Whether the model takes pictures, where that is other than is known of it.'),
		extra_body: z
			.record(z.string(), z.unknown())
			.optional()
			.meta({ examples: [{ seed: 1 }] })
			.describe('Whatever else this endpoint takes in the body of a request, as it stands.'),
		price: z
			.object({
				input: dollars('Of the prompt.'),
				output: dollars('Of the answer, thought included.'),
				cache_read: dollars(
					'Of what comes from the provider’s cache; else as the rest of the prompt.',
				).optional(),
				cache_write: dollars('Of what goes to that cache; else as the rest of the prompt.').optional(),
			})
			.meta({ examples: [{ input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 }] })
			.optional()
			.describe('What it costs, in US dollars for a million tokens, where the provider does not tell.'),
	})
	.describe('A model of one client.');
