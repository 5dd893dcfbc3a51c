/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * multivariate: tables of many columns, seen through a few components. Each tool has a file of its own
 * kind, tool-*.c; the numerics are in pca.c, pls.c, projection.c and limits.c.
 */
#include "multivariate/multivariate.h"

static const th_tool tools[] = {
	TH_TOOL(scale_data, struct scale_data_in, scale_data_params, scale_data_results,
		"Centre and scale columns",
		"Brings every column of a table to mean 0 and standard deviation 1 (with n - 1), "
		"so that columns in different units can be compared. A column that does not vary "
		"is only centred, and its std is 1. Needs at least two rows. Gives the means and "
		"stds that were used.",
		{"category": "multivariate", "threads": "parallel", "cacheable": true,
		 "annotations": {"readOnlyHint": true, "destructiveHint": false,
				 "idempotentHint": true, "openWorldHint": false},
		 "examples": [{"arguments": {"data": [[1, 10], [2, 20], [3, 30], [4, 40]]},
			       "result": {"scaled_data": [[-1.1618950038622249, -1.1618950038622249],
				[-0.38729833462074165, -0.38729833462074165],
				[0.38729833462074165, 0.38729833462074165],
				[1.1618950038622249, 1.1618950038622249]], "means": [2.5, 25],
				"stds": [1.2909944487358058, 12.909944487358057]}}]}),
	TH_TOOL(fit_pca, struct fit_pca_in, fit_pca_params, fit_pca_results,
		"Principal component analysis",
		"Finds the few directions along which the columns of a table vary together: PCA "
		"of centred and scaled columns, by singular value decomposition. Gives the "
		"variance that each component explains, the rows that are outliers at 95 % (far "
		"from the plane of the components, spe, or far out within it, hotellings_t2), and "
		"model_params for pca_predict. No more components are fitted than the rank of the "
		"data; n_components tells how many. The largest loading of a component is "
		"positive.",
		{"category": "multivariate", "threads": "parallel", "cacheable": true,
		 "caps": {"n_components": 50},
		 "annotations": {"readOnlyHint": true, "destructiveHint": false,
				 "idempotentHint": true, "openWorldHint": false},
		 "examples": [{"arguments": {"data": [[1, 2, 1], [2, 1, 3], [3, 5, 2], [4, 3, 5], [5, 6, 4]],
				"n_components": 2},
			       "result": {"n_components": 2, "n_samples": 5, "n_features": 3,
				"explained_variance": [2.225344421598361, 0.7715402520073918],
				"r2_cumulative": [0.7417814738661204, 0.9989615578685843],
				"r2_per_component": [0.7417814738661204, 0.257180084002464],
				"outlier_indices": [], "outlier_details": [],
				"model_params": {"loadings": [[0.6697431915492189, -0.010858762436395374],
				[0.5163836048637758, 0.7253763360733091],
				[0.5336590953046317, -0.6882668511146034]], "means": [3, 3.4, 3],
				"stds": [1.5811388300841898, 2.073644135332772, 1.5811388300841898],
				"n_components": 2,
				"scaling_factor_for_scores": [1.4917588349322288, 0.8783736403190796],
				"n_samples": 5, "spe_values": [0.010305298121108296,
				0.057195924594712684, 0.0403984640675362, 0.06419943481056241,
				0.05770727240449424]}}}]}),
	TH_TOOL(pca_predict, struct pca_predict_in, pca_predict_params, pca_predict_results,
		"Project new rows onto a PCA model",
		"Scores new rows with the model_params that fit_pca gave, and tells which of them "
		"do not belong to the data that it was fitted on: is_outlier where hotellings_t2 "
		"or spe is above its 95 % limit. The rows need the same columns in the same "
		"order, in their own units.",
		{"category": "multivariate", "threads": "parallel", "cacheable": true,
		 "annotations": {"readOnlyHint": true, "destructiveHint": false,
				 "idempotentHint": true, "openWorldHint": false},
		 "examples": [{"arguments": {"model_params": {"loadings": [[0.6697, -0.0109],
				[0.5164, 0.7254], [0.5337, -0.6883]], "means": [3, 3.4, 3],
				"stds": [1.5811, 2.0736, 1.5811], "n_components": 2,
				"scaling_factor_for_scores": [1.4918, 0.8784], "n_samples": 5,
				"spe_values": [0.0103, 0.0572, 0.0404, 0.0642, 0.0577]},
				"new_data": [[3, 3, 3], [9, 1, 9]]},
			       "result": {"scores": [[-0.09961419753086417, -0.13993055555555553],
				[3.969008888560941, -3.492925942908945]],
				"hotellings_t2": [0.02983584439550873, 22.890793353334075],
				"spe": [0.08779285483245708, 1.4798068476827506],
				"t2_limit": 30.566702386947696, "spe_limit": 0.07479188407154613,
				"is_outlier": [true, true]}}]}),
	TH_TOOL(fit_pls, struct fit_pls_in, fit_pls_params, fit_pls_results,
		"Partial least squares regression",
		"Relates one or several responses (y_data) to a table of predictors (x_data) that "
		"may be many, and correlated, by a few components: PLS of centred and scaled "
		"columns. Gives the share of the variance of y that is explained (r2x_cumulative, "
		"r2_per_component), the error of fit, coefficients in scaled units, and "
		"model_params for pls_predict. Fewer components than asked for are fitted where x "
		"is used up or nothing of y is left to explain; n_components tells how many.",
		{"category": "multivariate", "threads": "parallel", "cacheable": true,
		 "caps": {"n_components": 50},
		 "annotations": {"readOnlyHint": true, "destructiveHint": false,
				 "idempotentHint": true, "openWorldHint": false},
		 "examples": [{"arguments": {"x_data": [[1, 2, 1], [2, 1, 3], [3, 5, 2], [4, 3, 5],
				[5, 6, 4]], "y_data": [1, 2, 3, 4, 5.5], "n_components": 2},
			       "result": {"n_components": 2,
				"r2x_cumulative": [0.9854595902201326, 0.9859226001346657],
				"r2_per_component": [0.9854595902201326, 0.0004630099145330746],
				"rmse": [[0.1078532698803975, 0.10612219321267091]],
				"coefficients": [[0.45407251825565986], [0.36412147689115565],
				[0.32444012820797086]],
				"model_params": {"x_loadings": [[0.6697190834695708, -0.022643204461993218],
				[0.5207190414272795, 0.7639596271630119],
				[0.5295951126224447, -0.7450976680823238]],
				"y_loadings": [[0.6655279234022893, 0.026152867896288137]],
				"direct_weights": [[0.672574242727541, 0.24684020065915924],
				[0.5268194082640325, 0.5165188825462795],
				[0.5197164602894634, -0.8200128739803637]],
				"beta_coefficients": [[0.45407251825565986],
				[0.36412147689115565], [0.32444012820797086]],
				"x_means": [3, 3.4, 3],
				"x_stds": [1.5811388300841898, 2.073644135332772, 1.5811388300841898],
				"y_means": [3.1], "y_stds": [1.746424919657298],
				"n_components": 2,
				"scaling_factor_for_scores": [1.491602588506036, 0.8227650313212063],
				"n_samples": 5, "spe_values": [0.011643812220896317,
				0.062393106178515165, 0.044729092566866434, 0.06687859993317023,
				0.06085839854241761]}}}]}),
	TH_TOOL(pls_predict, struct pls_predict_in, pls_predict_params, pls_predict_results,
		"Predict with a PLS model",
		"Predicts the responses of new rows (y_hat, in their own units) with the "
		"model_params that fit_pls gave. Where hotellings_t2 or spe of a row is above its "
		"95 % limit, the row is unlike the data that the model was fitted on, and its "
		"prediction an extrapolation. The rows need the same columns in the same order.",
		{"category": "multivariate", "threads": "parallel", "cacheable": true,
		 "annotations": {"readOnlyHint": true, "destructiveHint": false,
				 "idempotentHint": true, "openWorldHint": false},
		 "examples": [{"arguments": {"model_params": {"x_loadings": [[0.6697, -0.0226],
				[0.5207, 0.764], [0.5296, -0.7451]],
				"y_loadings": [[0.6655, 0.0262]],
				"direct_weights": [[0.6726, 0.2468], [0.5268, 0.5165],
				[0.5197, -0.82]], "beta_coefficients": [[0.4541], [0.3641],
				[0.3244]], "x_means": [3, 3.4, 3],
				"x_stds": [1.5811, 2.0736, 1.5811], "y_means": [3.1],
				"y_stds": [1.7464], "n_components": 2,
				"scaling_factor_for_scores": [1.4916, 0.8228], "n_samples": 5,
				"spe_values": [0.0116, 0.0624, 0.0447, 0.0669, 0.0609]},
				"new_data": [[3, 3, 3]]},
			       "result": {"y_hat": [[2.977335040262346]],
				"scores": [[-0.10162037037037036, -0.09963348765432097]],
				"hotellings_t2": [0.019304458553131294],
				"spe": [0.09394721825778464], "t2_limit": 30.566702386947696,
				"spe_limit": 0.0789962170374446}}]}),
	TH_TOOL(detect_multivariate_outliers, struct detect_multivariate_outliers_in, detect_multivariate_outliers_params,
		detect_multivariate_outliers_results,
		"Find outlying rows of a table",
		"Finds rows of a table that break the pattern of the others, even where each of "
		"their values is usual on its own: PCA of centred and scaled columns, then the "
		"rows above the limit of spe (distance from the plane of the components) or of "
		"hotellings_t2 (distance within it), and those that the generalised ESD test "
		"finds in either. Worst first, with a severity: how many times its limit a row is "
		"at.",
		{"category": "multivariate", "threads": "parallel", "cacheable": true,
		 "caps": {"n_components": 50},
		 "annotations": {"readOnlyHint": true, "destructiveHint": false,
				 "idempotentHint": true, "openWorldHint": false},
		 "examples": [{"title": "Row 8 breaks the ratio of the first two columns",
			       "arguments": {"data": [[1, 2, 3], [2, 4, 5], [3, 6, 8], [4, 8, 9], [5, 10, 13],
				[6, 12, 15], [7, 14, 17], [8, 16, 20], [9, 1, 22], [10, 20, 25]],
				"n_components": 1},
			       "result": {"outlier_indices": [8], "outlier_details": [{"observation": 8,
				"outlier_types": ["spe"], "spe": 1.9572563906249152,
				"hotellings_t2": 0.2074850769005874,
				"spe_limit": 1.5688747597809138,
				"hotellings_t2_limit": 5.6290905321191484, "severity": 1.2476}],
				"t2_limit": 5.6290905321191484, "spe_limit": 1.5688747597809138}}]}),
};

TH_PACK(tools, {"version": "1.0.0",
		"summary": "Tables of many columns: scaling, PCA, PLS, outlying rows.",
		"license": "GPL-3.0-or-later"})
