import type { DiscoveryPolicy, Loading } from '../discovery/policy.ts';
import type { ChatModel } from '../models/chatModel.ts';

/** The way in which loaded tools reach a model: what the user has set if the model can do it, else what the model does best. */
export function loadingWay(
	setting: DiscoveryPolicy['loading'],
	{ loadings }: Pick<ChatModel, 'loadings'>,
): Loading {
	return loadings.find((way) => way === setting) ?? loadings[0];
}
