import { claude, google, openAi, type Refusal, sent } from './rows.ts';

/** Refusals that were collected after the rules were written, to judge them. */
export const after: readonly Refusal[] = [
	// A call of the model that its own provider could not read.
	sent(
		500,
		'malformedCall',
		{ error: 'error parsing tool call: raw=\'{"input":"*** Begin Patch"}]\', err=' },
		'ollama/ollama#17638',
	),
	sent(
		200,
		'malformedCall',
		{ error: 'XML syntax error on line 7: expected element name after <' },
		'ollama/ollama#12380',
	),
	sent(
		200,
		'malformedCall',
		{
			error: 'failed to parse XML: XML syntax error on line 1: element <tool_call> closed by </arg_value>',
		},
		'continuedev/continue#10896',
	),
	openAi(
		500,
		'invalidRequest',
		"While executing CallExpression at line 189, column 32 in source:\n{{- raise_exception('After the optional system message, con...\nError: Jinja Exception: After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results.",
		'mistralai/mistral-vibe#1006',
		{ type: 'server_error', code: 500 },
	),
	openAi(
		500,
		'malformedCall',
		'Failed to parse input at pos 144: <minimax:tool_call><invoke name="Edit">',
		'ggml-org/llama.cpp#22422',
		{ type: 'server_error', code: 500 },
	),
	openAi(
		500,
		'malformedCall',
		'unexpected tokens remaining in message header: Some("to=functions.web-browsing")',
		'vllm-project/vllm#51977',
		{ type: 'InternalServerError' },
	),
	openAi(
		500,
		'malformedCall',
		'Unexpected token 200012 while expecting start token 200006',
		'vllm-project/vllm#27243',
	),
	openAi(
		400,
		'malformedCall',
		'Failed to generate tool_calls. Exception: Failed to generate tool call. Tool is not present in the tools list.',
		'vybestack/llxprt-code#221',
	),
	openAi(
		400,
		'malformedCall',
		"tool call validation failed: attempted to call tool 'listFiles' which was not in request.tools",
		'mastra-ai/mastra#9688',
	),
	openAi(
		500,
		'malformedCall',
		'The model produced invalid content. Consider modifying your prompt if you are seeing this error persistently.',
		'BerriAI/litellm#8020',
		{ type: 'model_error' },
	),
	sent(
		424,
		'malformedCall',
		{
			message:
				'Model produced invalid sequence as part of ToolUse. Please refer to the model tool use troubleshooting guide.',
		},
		'strands-agents/harness-sdk#649',
	),
	// Wait.
	openAi(
		429,
		'rateLimited',
		'Rate limit reached for gpt-4o on tokens per min (TPM): Limit 30000, Used 29000, Requested 5000. Please try again in 8s.',
		'https://platform.openai.com/docs/guides/rate-limits',
		{ type: 'tokens', code: 'rate_limit_exceeded', waitMs: 8000 },
	),
	openAi(
		429,
		'rateLimited',
		'Rate limit reached for model `llama-3.3-70b-versatile` on requests per minute (RPM): Limit 30, Used 30, Requested 1. Please try again in 2m1.5s.',
		'https://console.groq.com/docs/rate-limits',
		{ code: 'rate_limit_exceeded', waitMs: 121_500 },
	),
	sent(
		429,
		'rateLimited',
		{ error: { message: 'Rate limit exceeded: free-models-per-min. ', code: 429 } },
		'https://openrouter.ai/docs/api-reference/limits',
	),
	sent(
		429,
		'rateLimited',
		{ message: 'Requests rate limit exceeded' },
		'https://docs.mistral.ai/deployment/laplateforme/tier',
	),
	sent(
		429,
		'rateLimited',
		{
			error: {
				code: '1302',
				message:
					'High concurrency usage of this API, please reduce concurrency or contact customer service to increase limits',
			},
		},
		'https://docs.z.ai/api-reference/api-code',
	),
	sent(
		429,
		'rateLimited',
		{
			error: {
				code: '429',
				message:
					'Requests to the ChatCompletions_Create Operation have exceeded token rate limit of your current pricing tier. Please retry after 26 seconds.',
			},
		},
		'https://learn.microsoft.com/azure/ai-services/openai/how-to/quota',
		{ waitMs: 26_000 },
	),
	sent(
		429,
		'rateLimited',
		{
			__type: 'ThrottlingException',
			message: 'Too many requests, please wait before trying again. You have sent too many requests.',
		},
		'i-dot-ai/caddy-chatbot#97',
	),
	sent(
		429,
		'rateLimited',
		{
			fault: {
				faultstring: 'Rate limit quota violation. Quota limit exceeded. Identifier : x',
				detail: { errorcode: 'policies.ratelimit.QuotaViolation' },
			},
		},
		'https://docs.apigee.com/api-platform/troubleshoot/runtime/429-too-many-requests-quota-violation',
	),
	sent(
		429,
		'rateLimited',
		{
			success: false,
			errors: [{ code: 3040, message: 'Capacity temporarily exceeded, please try again.' }],
			result: {},
			messages: [],
		},
		'https://developers.cloudflare.com/workers-ai/platform/errors/',
	),
	sent(
		200,
		'rateLimited',
		{ base_resp: { status_code: 1002, status_msg: 'rate limit exceeded(RPM)' } },
		'https://platform.minimax.io/docs/api-reference/errorcode',
	),
	google(
		429,
		'rateLimited',
		'Quota exceeded for quota metric X and limit Y per minute. Please retry in 34.07s.',
		'google-gemini/gemini-cli#10925',
		{ name: 'RESOURCE_EXHAUSTED', waitMs: 34_070 },
	),
	sent(
		429,
		'rateLimited',
		[
			{
				error: {
					code: 429,
					message: 'Resource exhausted. Please try again later.',
					status: 'RESOURCE_EXHAUSTED',
				},
			},
		],
		'google-gemini/gemini-cli#6454',
	),
	claude(
		429,
		'rateLimited',
		'rate_limit_error',
		'Number of request tokens has exceeded your per-minute rate limit',
		'https://platform.claude.com/docs/en/api/errors',
	),
	openAi(
		429,
		'rateLimited',
		'Your account reached max request concurrency: 1, please try again after 1 seconds',
		'https://platform.moonshot.ai/docs/pricing/limits',
		{ code: 'rate_limit_reached_error', waitMs: 1000 },
	),
	// A quota that comes back in its own time.
	openAi(
		429,
		'quota',
		'Rate limit exceeded: free-models-per-day. Add 10 credits to unlock 1000 free model requests per day',
		'https://openrouter.ai/docs/api-reference/limits',
		{ code: 429 },
	),
	sent(
		429,
		'quota',
		{
			error: {
				message: 'Tokens per day limit exceeded - too many tokens processed.',
				type: 'too_many_tokens_error',
				code: 'token_quota_exceeded',
			},
		},
		'dcdpr/jp#1085',
	),
	sent(
		402,
		'quota',
		{ error: { message: 'You have exceeded your monthly included credits', type: 'quota_exceeded' } },
		'https://huggingface.co/docs/inference-providers/pricing',
	),
	sent(
		429,
		'quota',
		{ error: { message: 'You have exceeded your premium request allowance', code: 'quota_exceeded' } },
		'https://docs.github.com/copilot/concepts/copilot-billing/about-billing-for-github-copilot',
	),
	sent(
		429,
		'quota',
		{
			error: {
				code: 'UserByModelByDay',
				message: 'Rate limit of 50 per 86400s exceeded for UserByModelByDay. Your daily limit is used up.',
			},
		},
		'https://docs.github.com/github-models/use-github-models/prototyping-with-ai-models',
	),
	// No credit.
	sent(
		403,
		'payment',
		{ error: { message: '用户额度不足, 剩余额度: -0.000002', type: 'new_api_error' } },
		'QuantumNous/new-api#6929',
	),
	sent(
		429,
		'payment',
		{ error: { code: '1113', message: '您的账户已欠费，请充值后重试。' } },
		'langgenius/dify#5850',
	),
	sent(
		429,
		'payment',
		{
			error: {
				message: 'Error from provider: Provider returned error',
				code: 429,
				metadata: {
					raw: '{"error":{"message":"Your account org-1 is suspended due to insufficient balance, please recharge your account or check your plan and billing details","type":"exceeded_current_quota_error"}}',
				},
			},
		},
		'anomalyco/opencode#24462',
	),
	openAi(
		402,
		'payment',
		'Insufficient credits. Add more using https://openrouter.ai/settings/credits',
		'https://openrouter.ai/docs/api-reference/errors',
		{ code: 402 },
	),
	claude(
		402,
		'payment',
		'billing_error',
		'There is an issue with your billing or payment information.',
		'https://platform.claude.com/docs/en/api/errors',
	),
	sent(
		403,
		'payment',
		{
			code: 'Some resource has been exhausted',
			error:
				'Your team has either used all available credits or reached its monthly spending limit. To continue making API requests, please purchase more credits.',
		},
		'https://docs.x.ai/docs/key-information/debugging',
	),
	sent(
		402,
		'payment',
		{ detail: { error: 'You do not have enough balance to use this model' } },
		'https://deepinfra.com/docs/advanced/rate-limits',
	),
	sent(
		412,
		'payment',
		{
			error: {
				message:
					'Account is suspended, possibly due to reaching the monthly spending limit or failure to pay past invoices.',
				type: 'error',
				code: 'PRECONDITION_FAILED',
			},
		},
		'https://docs.fireworks.ai/guides/inference-error-codes',
	),
	// Too long.
	openAi(
		400,
		'contextTooLong',
		"This model's maximum context length is 16384 tokens. However, you requested 122946 tokens (112946 in the messages, 10000 in the completion).",
		'vllm-project/vllm#20409',
		{ context: 16_384 },
	),
	sent(
		400,
		'contextTooLong',
		{
			error: {
				message: 'prompt token count of 65446 exceeds the limit of 64000',
				param: '',
				code: '',
				type: '',
			},
		},
		'microsoft/vscode-copilot-release#6700',
		{ context: 64_000 },
	),
	openAi(
		400,
		'contextTooLong',
		'The decoder prompt (length 5000) is longer than the maximum model length of 4096.',
		'vllm-project/vllm#12600',
		{ context: 4096 },
	),
	claude(
		400,
		'contextTooLong',
		'invalid_request_error',
		'input length and `max_tokens` exceed context limit: 178959 + 64000 > 200000',
		'docker/docker-agent#569',
		{ context: 200_000 },
	),
	claude(
		413,
		'contextTooLong',
		'request_too_large',
		'Request exceeds the maximum size',
		'https://platform.claude.com/docs/en/api/errors',
	),
	google(
		400,
		'contextTooLong',
		'The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).',
		'badlogic/pi-mono: packages/ai/src/utils/overflow.ts',
		{ context: 1_048_575 },
	),
	google(
		400,
		'contextTooLong',
		'the input token count is 33013 but model only supports up to 32768.',
		'https://cloud.google.com/vertex-ai/generative-ai/docs',
		{ context: 32_768 },
	),
	sent(
		400,
		'contextTooLong',
		{
			object: 'error',
			message:
				'Prompt contains 40211 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
			type: 'invalid_request_prompt',
			code: '3051',
		},
		'badlogic/pi-mono: packages/ai/src/utils/overflow.ts',
		{ context: 32_768 },
	),
	sent(
		400,
		'contextTooLong',
		{
			error:
				'The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 13055>= n_ctx: 4096).',
		},
		'Gitlawb/openclaude#353',
		{ context: 4096 },
	),
	sent(
		400,
		'contextTooLong',
		{
			error: {
				code: 400,
				message: 'the request exceeds the available context size, try increasing it',
				type: 'exceed_context_size_error',
				n_ctx: 8192,
			},
		},
		'ggml-org/llama.cpp#15780',
		{ context: 8192 },
	),
	sent(
		422,
		'contextTooLong',
		{
			error: '`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens',
			error_type: 'validation',
		},
		'huggingface/text-generation-inference: router/src/validation.rs',
		{ context: 4096 },
	),
	sent(
		400,
		'contextTooLong',
		{ message: 'Input is too long for requested model.' },
		'badlogic/pi-mono: packages/ai/src/utils/overflow.ts',
	),
	sent(
		400,
		'contextTooLong',
		{ error: { code: '1261', message: 'Prompt exceeds max length' } },
		'https://docs.z.ai/api-reference/api-code',
	),
	sent(
		400,
		'contextTooLong',
		{ message: 'too many tokens: size limit exceeded by 100 tokens' },
		'https://docs.cohere.com/reference/errors',
	),
	sent(
		400,
		'contextTooLong',
		{
			error: {
				message: '<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 30720]',
				type: 'invalid_request_error',
			},
		},
		'https://help.aliyun.com/zh/model-studio/error-code',
		{ context: 30_720 },
	),
	sent(
		400,
		'contextTooLong',
		{ error_code: 'BAD_REQUEST', message: 'Input tokens (200000) exceed the limit of 128000.' },
		'https://docs.databricks.com/aws/en/machine-learning/foundation-model-apis/limits',
		{ context: 128_000 },
	),
	sent(
		500,
		'contextTooLong',
		{ error: 'input length exceeds the context length' },
		'ollama/ollama: llm/server.go',
	),
	openAi(
		413,
		'contextTooLong',
		'Request too large for model `kimi-k2-instruct` on tokens per minute (TPM): Limit 10000, Requested 21247, please reduce your message size and try again.',
		'RooCodeInc/Roo-Code#5729',
		{ type: 'tokens', code: 'rate_limit_exceeded' },
	),
	// Keys, organizations, models without tools.
	claude(
		401,
		'unauthorized',
		'authentication_error',
		'invalid x-api-key',
		'https://platform.claude.com/docs/en/api/errors',
	),
	google(
		400,
		'unauthorized',
		'API key not valid. Please pass a valid API key.',
		'https://ai.google.dev/gemini-api/docs/troubleshooting',
	),
	sent(401, 'unauthorized', { detail: 'Unauthorized' }, 'https://docs.mistral.ai/api'),
	sent(
		401,
		'unauthorized',
		{ error: { message: 'No cookie auth credentials found', code: 401 } },
		'https://openrouter.ai/docs/api-reference/errors',
	),
	sent(
		200,
		'unauthorized',
		{
			base_resp: {
				status_code: 1004,
				status_msg: 'login fail: Please carry the API secret key in the Authorization field',
			},
		},
		'https://platform.minimax.io/docs/api-reference/errorcode',
	),
	openAi(
		403,
		'unverified',
		'Your organization must be verified to use the model `o3`. Please go to: https://platform.openai.com/settings/organization/general and click on Verify Organization.',
		'BeehiveInnovations/pal-mcp-server#144',
		{ code: 'model_not_found' },
	),
	sent(
		404,
		'noTools',
		{
			error: {
				message:
					'No endpoints found that support tool use. To learn more about provider routing, visit: https://openrouter.ai/docs/guides/routing/provider-selection',
				code: 404,
			},
		},
		'MerlinStacks/overseek#29',
	),
	sent(
		400,
		'noTools',
		{ error: 'registry.ollama.ai/library/gemma3:4b does not support tools' },
		'ollama/ollama: server/routes.go',
	),
	openAi(
		404,
		'notFound',
		'The model `x` does not exist or you do not have access to it.',
		'https://platform.openai.com/docs/guides/error-codes',
		{ code: 'model_not_found' },
	),
	sent(
		403,
		'forbidden',
		{ Message: 'User: x is not authorized to perform: bedrock:InvokeModel' },
		'aws-samples/sample-kolya-br-proxy#27',
	),
	// Passing.
	claude(
		529,
		'overloaded',
		'overloaded_error',
		'Overloaded',
		'https://platform.claude.com/docs/en/api/errors',
	),
	google(
		503,
		'overloaded',
		'The model is overloaded. Please try again later.',
		'https://ai.google.dev/gemini-api/docs/troubleshooting',
		{ name: 'UNAVAILABLE' },
	),
	google(
		500,
		'server',
		'An internal error has occurred. Please retry or report in https://developers.generativeai.google/guide/troubleshooting',
		'https://ai.google.dev/gemini-api/docs/troubleshooting',
		{ name: 'INTERNAL' },
	),
	openAi(502, 'server', 'Provider returned error', 'https://openrouter.ai/docs/api-reference/errors', {
		code: 502,
	}),
	// Calls of the model, and the request itself.
	openAi(
		400,
		'malformedCall',
		'tool call validation failed: parameters for tool HassTurnOff did not match schema: errors: [`/domain`: expected array, but got string]',
		'HunorLaczko/ha-groq-cloud-api#20',
		{ code: 'tool_use_failed' },
	),
	sent(
		500,
		'malformedCall',
		{
			error: {
				message: 'The function call generated by the model is invalid',
				type: 'internal_server_error',
				code: '500',
			},
		},
		'epam/ai-dial-adapter-vertexai#490',
	),
	openAi(
		400,
		'invalidRequest',
		"Function tools with reasoning_effort are not supported for gpt-5.6 in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.",
		'BerriAI/litellm#34569',
	),
	google(
		400,
		'invalidRequest',
		'Invalid JSON payload received. Unknown name "$schema" at \'tools[0].function_declarations[0].parameters\': Cannot find field.',
		'openswarm-ai/openswarm#24',
	),
	sent(
		400,
		'invalidRequest',
		{
			error: {
				message: "Unexpected role 'user' after role 'tool'",
				type: 'BadRequestError',
				param: null,
				code: 400,
			},
		},
		'mistralai/mistral-vibe#578',
	),
	sent(
		422,
		'invalidRequest',
		{ detail: [{ loc: ['body', 'model'], msg: 'Field required', type: 'missing' }] },
		'https://fastapi.tiangolo.com/tutorial/handling-errors/',
	),
	// Models that cannot call tools.
	openAi(
		404,
		'noTools',
		"No endpoints found that support the provided 'tool_choice' value. To learn more about provider routing, visit: https://openrouter.ai/docs/provider-routing",
		'zed-industries/zed#36094',
		{ code: 404 },
	),
	openAi(
		404,
		'noTools',
		'No endpoints found that support tool use. Try disabling "question". To learn more about provider routing, visit: https://openrouter.ai/docs/guides/routing/provider-selection',
		'Kilo-Org/kilocode#9006',
		{ code: 404 },
	),
	sent(
		400,
		'noTools',
		{
			code: 'Client specified an invalid argument',
			error:
				'Invalid request content: The model does not support tool use or function calling but tools or tool_choice have been specified on the request.',
		},
		'google/adk-python#952',
	),
	openAi(400, 'noTools', 'tool calling is not supported with this model', 'langflow-ai/langflow#11120'),
	openAi(400, 'noTools', 'deepseek-reasoner does not support Function Calling', 'dnakov/anon-kode#10'),
	openAi(
		400,
		'noTools',
		'tools is not supported in this model. For a list of supported models, refer to https://platform.openai.com/docs/guides/function-calling#models-supporting-function-calling.',
		'sbintuitions/flexeval#242',
	),
	sent(
		400,
		'noTools',
		{
			error: {
				requestid: 'x',
				code: 400,
				message:
					'Functions are not supported for this API version or this model version. To learn how to user use function calling with Azure OpenAI Service.',
			},
		},
		'MicrosoftDocs/azure-docs#121504',
	),
	sent(
		405,
		'noTools',
		{
			status: 'failure',
			message: 'deepinfra error: Tool calling is not supported for model: mistralai/Mistral-Small-24B',
			error: {
				message: 'deepinfra error: Tool calling is not supported for model: mistralai/Mistral-Small-24B',
			},
		},
		'truefoundry/models#944',
	),
];
