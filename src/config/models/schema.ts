import * as z from 'zod';
import { efforts } from '../../common/answerSettings.ts';
import { dollars, number, ranges, texts, wholeNumber } from '../schemaKinds.ts';

/** An entry of `clients`. */
export const clientSchema = z
	.object({
		provider: z
			.enum(['openai', 'anthropic', 'ollama'])
			.meta({
				enumDescriptions: [
					'OpenAI, and OpenAI-compatible endpoints such as OpenRouter, LM Studio and llama.cpp.',
					'Anthropic.',
					'Ollama, by default on this machine. It needs no key.',
				],
			})
			.describe('The endpoint’s protocol.'),
		base_url: z
			.string()
			.optional()
			.meta({ examples: ['https://openrouter.ai/api/v1', 'http://localhost:1234/v1'] })
			.describe('The endpoint’s URL, if it is not the provider’s own. Do not put keys into this file.'),
		api: z
			.enum(['chat', 'responses'])
			.meta({ enumDescriptions: ['Chat Completions.', 'Responses.'] })
			.optional()
			.describe(
				'The API of an openai endpoint: "chat" (Chat Completions) or "responses". Usually not needed.',
			),
		auth: z
			.enum(['key', 'microsoft'])
			.meta({ enumDescriptions: ['With a key.', 'With VS Code’s Microsoft sign-in (Entra ID), for Azure.'] })
			.optional()
			.describe('How to authenticate: with a "key", or for Azure with a "microsoft" sign-in.'),
		headers: texts()
			.optional()
			.meta({ examples: [{ 'HTTP-Referer': 'https://example.com' }] })
			.describe(
				`More HTTP headers for this endpoint only. For secrets, use "\${env:NAME}"; you are asked once before they are sent. You cannot set the header that carries the key.`,
			),
		organization: z
			.string()
			.min(1)
			.optional()
			.meta({ examples: ['org-…'] })
			.describe('For openai: the organization that pays (header OpenAI-Organization).'),
	})
	.describe('An endpoint that serves models.');

/** An entry of `models`. */
export const modelSchema = z
	.object({
		client: z.string().describe('The name of an entry of "clients".'),
		model: z.string().min(1).describe('The provider’s name of the model.'),
		template: z.string().optional().describe('The name of a system prompt: prompt-templates/<name>.j2.'),
		context_tokens: wholeNumber(ranges.contextTokens)
			.optional()
			.meta({ examples: [32_000, 128_000] })
			.describe('The size of the context, prompt and answer together, if it is unknown or you want less.'),
		max_output_tokens: wholeNumber(ranges.outputTokens)
			.optional()
			.meta({ examples: [4_096] })
			.describe('The most tokens of one answer.'),
		reasoning_effort: z
			.enum(efforts)
			.meta({
				enumDescriptions: [
					'None. OpenAI from GPT-5.1, and Ollama.',
					'Minimal. GPT-5.',
					'Low.',
					'Medium: enough for most tasks.',
					'High.',
					'More than "high". Newer models of OpenAI and Anthropic.',
					'The maximum. Newer models of OpenAI and Anthropic.',
				],
			})
			.optional()
			.describe('How much the model thinks before it answers. Models support different values.'),
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
				'Whether the model thinks: "off", "adaptive" (the model decides) or a maximum number of tokens. With {"tokens": 8000, "display": "omitted"}, you also choose whether you get its thoughts ("summarized" or "omitted"). For anthropic, ollama and OpenRouter; for others, use reasoning_effort.',
			),
		temperature: number(ranges.temperature)
			.optional()
			.meta({ examples: [0, 0.7] })
			.describe('How random answers are, from 0. Most models that think reject it.'),
		top_p: number(ranges.topP)
			.optional()
			.meta({ examples: [0.9] })
			.describe('The share of the most likely words to choose from, 0 to 1. Set this or the temperature.'),
		parallel_tool_calls: z.boolean().optional().describe('false: one call at a time. Not for ollama.'),
		service_tier: z
			.string()
			.min(1)
			.optional()
			.meta({ examples: ['flex', 'priority', 'standard_only'] })
			.describe(
				'The priority and price of requests. OpenAI accepts "auto", "default", "flex", "scale", "priority" and "fast", Anthropic "auto" and "standard_only".',
			),
		images: z
			.boolean()
			.optional()
			.describe('Whether the model accepts pictures, if Discovery does not know.'),
		extra_body: z
			.record(z.string(), z.unknown())
			.optional()
			.meta({ examples: [{ seed: 1 }] })
			.describe('More fields for the request’s body, sent unchanged.'),
		price: z
			.object({
				input: dollars('For the prompt.'),
				output: dollars('For the answer, including thoughts.'),
				cache_read: dollars(
					'For tokens read from the provider’s cache. Default: same as the prompt.',
				).optional(),
				cache_write: dollars('For tokens written to that cache. Default: same as the prompt.').optional(),
			})
			.meta({ examples: [{ input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 }] })
			.optional()
			.describe('Its price in US dollars per million tokens, if the provider does not report it.'),
	})
	.describe('A model of a client.');
