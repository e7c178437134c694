import type { ModelErrorReason } from '../../../src/models/modelError.ts';

/** An error that a model in VS Code failed with, as an extension gets it, shortened. */
export interface EditorRefusal {
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

const tokens = 'prompt token count of 64505 exceeds the limit of 64000';

export const ofEditor: readonly EditorRefusal[] = [
	{
		message: `Request Failed: 400 {"error":{"message":"${tokens}","code":"model_max_prompt_tokens_exceeded"}}`,
		reason: 'contextTooLong',
		status: 400,
		context: 64_000,
		said: tokens,
		from: 'microsoft/vscode#276218',
	},
	{
		message: `Request Failed: 400 {"error":{"message":"prompt token count of 82016 exceeds the limit of 64000","param":"","code":"","type":""}}`,
		reason: 'contextTooLong',
		status: 400,
		context: 64_000,
		from: 'microsoft/vscode-copilot-release#6803',
	},
	{
		message:
			'Error in stream_response: 400: API error: {"error":{"message":"prompt token count of 132354 exceeds the limit of 128000","code":"model_max_prompt_tokens_exceeded"}}',
		reason: 'contextTooLong',
		context: 128_000,
		from: 'RooCodeInc/Roo-Code#1694',
	},
	{
		message:
			'Request Failed: 400 {"error":{"message":"Could not finish the message because max_tokens or model output limit was reached. Please try again with higher max_tokens.","code":"invalid_request_body"}}',
		reason: 'invalidRequest',
		status: 400,
		from: 'microsoft/vscode#276139',
	},
	{
		message:
			'Request Failed: 400 {"error":{"message":"Model is not supported for this request.","code":"model_not_supported","param":"model","type":"invalid_request_error"}}\n',
		reason: 'notFound',
		status: 400,
		said: 'Model is not supported for this request.',
		from: 'cline/cline#7229',
	},
	{
		message: 'Rate limit exceeded',
		name: 'ChatRateLimited',
		reason: 'rateLimited',
		from: 'anomalyco/opencode#43327',
	},
	{
		message:
			'Rate limit exceeded\n\n{"code":"upstream_provider_rate_limit","message":"{"error":{"type":"server_error","message":"Upstream request failed: Endpoint is unavailable."}}"}',
		name: 'ChatRateLimited',
		reason: 'rateLimited',
		from: 'anomalyco/opencode#43327',
	},
	{
		message: 'Sorry, you have exceeded your Copilot token usage.',
		name: 'ChatRateLimited',
		reason: 'rateLimited',
		from: 'microsoft/vscode#270216',
	},
	{
		message: '{"error":{"message":"rate limit exceeded","code":"rate_limited"}}',
		reason: 'rateLimited',
		said: 'rate limit exceeded',
		from: 'microsoft/vscode-copilot-release#10462',
	},
	{
		message:
			"Sorry, you have exhausted this model's rate limit. Please wait 78 seconds before trying again, or switch to a different model.",
		reason: 'rateLimited',
		waitMs: 78_000,
		from: 'microsoft/vscode-copilot-release#6453',
	},
	{
		message: 'Sorry, your request was rate-limited. Please wait 3 hours 23 minutes before trying again.',
		reason: 'rateLimited',
		waitMs: 12_180_000,
		from: 'microsoft/vscode-copilot-release#6060',
	},
	{
		message:
			'The extension has been temporarily blocked due to making too many requests. Please try again later.',
		name: 'LanguageModelError',
		code: 'Blocked',
		reason: 'rateLimited',
		from: 'microsoft/vscode-copilot-chat: src/extension/conversation/vscode-node/languageModelAccess.ts',
	},
	{
		message: 'You have no quota',
		name: 'ChatQuotaExceeded',
		reason: 'quota',
		from: 'microsoft/vscode-copilot-release#13702',
	},
	{
		message:
			'OAI Compatible API error: [404] Not Found {"error":{"code":"404","message":"No endpoints found that support image input","param":"","type":""}} URL: [https://token-plan.example/v1/chat/completions]',
		reason: 'notFound',
		from: 'JohnnyZ93/oai-compatible-copilot#229',
	},
	{
		message: 'Response contained no choices.',
		reason: 'unknown',
		from: 'microsoft/vscode#324335',
	},
	{
		message:
			'Please check your firewall rules and network connection then try again. Error Code: net::ERR_FAILED.',
		reason: 'server',
		from: 'microsoft/vscode#257416',
	},
	{
		message: "Language model 'gpt-4.1' is unknown.",
		name: 'LanguageModelError',
		code: 'NotFound',
		reason: 'notFound',
		from: 'microsoft/vscode: src/vs/workbench/api/common/extHostLanguageModels.ts',
	},
	{
		message: "Language model 'gpt-4.1' cannot be used by 'publisher.extension'.",
		name: 'LanguageModelError',
		code: 'NoPermissions',
		reason: 'forbidden',
		from: 'microsoft/vscode: src/vs/workbench/api/common/extHostLanguageModels.ts',
	},
];
