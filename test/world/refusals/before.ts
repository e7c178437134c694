import { claude, google, openAi, type Refusal, sent } from './rows.ts';

const retryInfo = (retryDelay: string) => [
	{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay },
];

/** Refusals that were read before the rules were written. */
export const before: readonly Refusal[] = [
	// Wait.
	sent(
		429,
		'rateLimited',
		{ message: 'Too many tokens, please wait before trying again.' },
		'anthropics/claude-code#236',
	),
	sent(
		429,
		'rateLimited',
		{ Message: 'Too many tokens, please wait before trying again.' },
		'earendil-works/pi#2699',
	),
	openAi(
		429,
		'rateLimited',
		'Tokens per minute limit exceeded - too many tokens processed.',
		'anomalyco/opencode#7463',
		{ type: 'too_many_tokens_error', code: 'token_quota_exceeded' },
	),
	claude(
		429,
		'rateLimited',
		'rate_limit_error',
		"This request would exceed your organization's rate limit of 30,000 input tokens per minute. Please reduce the prompt length or the maximum tokens requested, or try again later.",
		'continuedev/continue#12057',
	),
	openAi(
		429,
		'rateLimited',
		'This request would exceed the rate limit for your organization of 20,000 input tokens per minute. Please reduce the prompt length or the maximum tokens requested, or try again later.',
		'FoundationAgents/OpenManus#746',
		{ code: 'rate_limit_error' },
	),
	openAi(
		429,
		'rateLimited',
		'Rate limit reached for model `llama-3.1-8b-instant` on tokens per minute (TPM): Limit 6000, Used 5034, Requested 1443. Please try again in 4.77s.',
		'elizaOS/eliza#4040',
		{ type: 'tokens', code: 'rate_limit_exceeded', waitMs: 4770 },
	),
	google(
		429,
		'rateLimited',
		'You exceeded your current quota, please check your plan and billing details.',
		'RooCodeInc/Roo-Code#3883',
		{ name: 'RESOURCE_EXHAUSTED', details: retryInfo('26s'), waitMs: 26_000 },
	),
	google(
		429,
		'rateLimited',
		'Resource exhausted. Please try again later.',
		'google-gemini/gemini-cli#14831',
		{ name: 'RESOURCE_EXHAUSTED' },
	),
	google(
		429,
		'rateLimited',
		'Resource has been exhausted (e.g. check quota).',
		'google-gemini/gemini-cli#23981',
		{ name: 'RESOURCE_EXHAUSTED' },
	),
	sent(
		429,
		'rateLimited',
		{
			message: 'Requests per second limit exceeded - too many requests sent.',
			type: 'too_many_requests_error',
			param: 'quota',
			code: 'request_quota_exceeded',
		},
		'explyt/explyt#35',
	),
	sent(
		429,
		'rateLimited',
		{ message: 'Too many requests, please wait before trying again.' },
		'BerriAI/litellm#589',
	),
	openAi(
		429,
		'rateLimited',
		'Rate limit reached for gpt-4o on requests per min (RPM): Limit 3, Used 3, Requested 1. Please try again in 20s.',
		'https://platform.openai.com/docs/guides/rate-limits',
		{ code: 'rate_limit_exceeded', type: 'requests', waitMs: 20_000 },
	),
	// A quota that comes back in its own time.
	sent(
		429,
		'quota',
		{ message: 'Too many tokens per day, please wait before trying again.' },
		'anomalyco/opencode#13015',
	),
	google(
		429,
		'quota',
		"Quota exceeded for quota metric 'Gemini 2.5 Pro Requests' and limit 'Gemini 2.5 Pro Requests per day per user per tier' of service 'x'.",
		'google-gemini/gemini-cli#10925',
		{ name: 'RESOURCE_EXHAUSTED' },
	),
	sent(
		429,
		'quota',
		{
			error: {
				message:
					'{\n  "error": {\n    "code": 429,\n    "message": "You exceeded your current quota, please check your plan and billing details.",\n    "status": "RESOURCE_EXHAUSTED"\n  }\n}\n',
				code: 429,
				status: 'Too Many Requests',
			},
		},
		'gke-labs/gemini-for-kubernetes-development#1215',
	),
	// No credit.
	openAi(
		429,
		'payment',
		'You exceeded your current quota, please check your plan and billing details.',
		'simonw/llm#494',
		{ code: 'insufficient_quota', type: 'insufficient_quota' },
	),
	openAi(402, 'payment', 'Insufficient Balance', 'continuedev/continue#9853', {
		code: 'invalid_request_error',
		type: 'unknown_error',
	}),
	claude(
		400,
		'payment',
		'invalid_request_error',
		'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
		'anthropics/claude-code#4684',
	),
	openAi(
		402,
		'payment',
		'This request requires more credits, or fewer max_tokens. You requested up to 64000 tokens, but can only afford 61586.',
		'bobrware/bobrchat#143',
		{ code: 402 },
	),
	sent(
		429,
		'payment',
		{ error: { code: '1113', message: '余额不足或无可用资源包,请充值。' } },
		'continuedev/continue#11823',
	),
	sent(
		429,
		'payment',
		{
			type: 'error',
			error: { type: '1113', message: 'Insufficient balance or no resource package. Please recharge.' },
		},
		'anthropics/claude-code#9201',
	),
	openAi(
		429,
		'payment',
		'Your account org-1 is suspended due to insufficient balance, please recharge your account or check your plan and billing details',
		'continuedev/continue#11443',
		{ code: 'exceeded_current_quota_error' },
	),
	sent(
		403,
		'payment',
		{
			code: 30_011,
			message:
				'The selected model requires paid balance. Your paid balance is insufficient. Please top up and try again.',
			data: null,
		},
		'FoundationAgents/OpenManus#438',
	),
	sent(
		200,
		'payment',
		{ base_resp: { status_code: 1008, status_msg: 'insufficient balance' } },
		'adrianlyjak/obsidian-aloud-tts#114',
	),
	// Too long.
	openAi(
		413,
		'contextTooLong',
		'Request too large for model `llama-3.3-70b-versatile` on tokens per minute (TPM): Limit 6000, Requested 14810, please reduce your message size and try again.',
		'ITSpecialist111/ai_automation_suggester#61',
		{ type: 'tokens', code: 'rate_limit_exceeded' },
	),
	openAi(
		429,
		'contextTooLong',
		'Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 342389. The input or output tokens must be reduced in order to run successfully.',
		'vanna-ai/vanna-flask#11',
		{ type: 'tokens', code: 'rate_limit_exceeded' },
	),
	sent(
		400,
		'contextTooLong',
		{
			error: {
				message: 'prompt token count of 132354 exceeds the limit of 128000',
				code: 'model_max_prompt_tokens_exceeded',
			},
		},
		'RooCodeInc/Roo-Code#1694',
		{ context: 128_000 },
	),
	claude(
		400,
		'contextTooLong',
		'invalid_request_error',
		'prompt is too long: 210194 tokens > 200000 maximum',
		'microsoft/vscode#293191',
		{ context: 200_000 },
	),
	sent(
		400,
		'contextTooLong',
		{
			object: 'error',
			message: "The input (61709 tokens) is longer than the model's context length (40960 tokens).",
			type: 'BadRequestError',
			param: null,
			code: 400,
		},
		'QwenLM/Qwen3#1321',
		{ context: 40_960 },
	),
	sent(
		400,
		'contextTooLong',
		{
			object: 'error',
			message:
				"This model's maximum context length is 6048 tokens. However, you requested 6616 tokens (568 in the messages, 6048 in the completion).",
			type: 'BadRequestError',
			param: null,
			code: 400,
		},
		'ogx-ai/ogx#4534',
		{ context: 6048 },
	),
	openAi(
		413,
		'contextTooLong',
		'Request body too large for gpt-4.1 model. Max size: 8000 tokens.',
		'tashfeenahmed/freellmapi#426',
		{ code: 'tokens_limit_reached', context: 8000 },
	),
	openAi(
		400,
		'contextTooLong',
		"This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
		'badlogic/pi-mono: packages/ai/src/utils/overflow.ts',
		{ context: 131_072 },
	),
	openAi(
		400,
		'contextTooLong',
		'Your request exceeded model token limit: 262144 (requested: 300000)',
		'badlogic/pi-mono: packages/ai/src/utils/overflow.ts',
		{ context: 262_144 },
	),
	openAi(
		400,
		'contextTooLong',
		'invalid params, context window exceeds limit',
		'badlogic/pi-mono: packages/ai/src/utils/overflow.ts',
	),
	openAi(
		400,
		'contextTooLong',
		'Your input exceeds the context window of this model. Please adjust your input and try again.',
		'badlogic/pi-mono: packages/ai/src/utils/overflow.ts',
		{ code: 'context_length_exceeded' },
	),
	// Keys, organizations, models without tools.
	openAi(
		401,
		'unauthorized',
		'Incorrect API key provided: nvapi-***. You can find your API key at https://platform.openai.com/account/api-keys.',
		'FerroxLabs/wayland#9',
		{ code: 'invalid_api_key' },
	),
	openAi(
		400,
		'unverified',
		'Your organization must be verified to generate reasoning summaries. Please go to: https://platform.openai.com/settings/organization/general and click on Verify Organization.',
		'continuedev/continue#9067',
		{ code: 'unsupported_value' },
	),
	openAi(
		400,
		'unverified',
		'Your organization must be verified to stream this model.',
		'continuedev/continue#11809',
		{ code: 'unsupported_value' },
	),
	openAi(
		404,
		'noTools',
		'No endpoints found that support tool use. To learn more about provider routing, visit: https://openrouter.ai/docs/provider-routing',
		'dnakov/anon-kode#2',
		{ code: 404 },
	),
	// Calls of the model.
	openAi(
		400,
		'malformedCall',
		"Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.",
		'groq/groq-typescript#28',
		{ code: 'tool_use_failed' },
	),
	openAi(400, 'malformedCall', 'Failed to parse tool call arguments as JSON', 'OpenHands/OpenHands#10187', {
		code: 'tool_use_failed',
	}),
	// The request itself.
	openAi(
		400,
		'invalidRequest',
		'Function tools with reasoning_effort are not supported for gpt-5.4 in /v1/chat/completions. Please use /v1/responses instead.',
		'pipecat-ai/pipecat#4043',
	),
	sent(
		400,
		'invalidRequest',
		{
			object: 'error',
			message: "Unexpected role 'user' after role 'tool'",
			type: 'invalid_request_message_order',
			param: null,
			code: '3230',
		},
		'avante-corp/avante.nvim#2695',
	),
	sent(
		400,
		'invalidRequest',
		{
			error: {
				message: 'Provider returned error',
				code: 400,
				metadata: {
					raw: '{"object":"error","message":"Unexpected role \'tool\' after role \'user\'","type":"invalid_request_message_order","param":null,"code":"3230"}',
					provider_name: 'Mistral',
				},
			},
		},
		'charmbracelet/crush#279',
	),
	claude(
		400,
		'invalidRequest',
		'invalid_request_error',
		'tools.14.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12.',
		'anthropics/claude-code#31800',
	),
	openAi(
		400,
		'invalidRequest',
		"Invalid 'tools[48].name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
		'openai/codex#8174',
		{ code: 'invalid_value' },
	),
	openAi(
		400,
		'invalidRequest',
		"Missing namespace for function_call 'todo'. It does not exist in the default namespace.",
		'earendil-works/pi#7709',
	),
	openAi(
		400,
		'invalidRequest',
		'max_tokens must be less than or equal to 16384, the maximum value for max_tokens is less than the context_window for this model',
		'RooCodeInc/Roo-Code#5729',
	),
	claude(
		400,
		'invalidRequest',
		'invalid_request_error',
		'messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation.',
		'anomalyco/opencode#48637',
	),
	openAi(
		400,
		'invalidRequest',
		'function name is invalid, must start with a letter and can contain letters, numbers, underscores, and dashes',
		'MoonshotAI/kimi-cli#1773',
	),
	sent(
		400,
		'invalidRequest',
		{
			error: {
				message:
					'Could not finish the message because max_tokens or model output limit was reached. Please try again with higher max_tokens.',
				code: 'invalid_request_body',
			},
		},
		'microsoft/vscode#276139',
	),
];
