import { BaseAnthropic } from '@anthropic-ai/sdk/client';
import { Messages } from '@anthropic-ai/sdk/resources/messages';

/** The SDK's client with the one part of the API that we call: the SDK's own has all of them, which is three times the code. */
export class MessagesClient extends BaseAnthropic {
	readonly messages = new Messages(this);
}
