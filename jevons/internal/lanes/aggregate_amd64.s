//go:build !purego

#include "textflag.h"

// A band is two registers of four weeks. Sizes in bytes: Row 72, Band 64,
// Column 256, Sums 448 (four totals, three counts).

// func aggregateAVX2(a *Aggregate, means *Sums, nation *Band, weight float64, t *expTable)
TEXT ·aggregateAVX2(SB), NOSPLIT, $0-40
	MOVQ a+0(FP), DI
	MOVQ means+8(FP), SI
	MOVQ nation+16(FP), R8
	VBROADCASTSD weight+24(FP), Y13
	MOVQ t+32(FP), R9
	MOVQ $0x3ff0000000000000, AX
	VMOVQ AX, X15
	VBROADCASTSD X15, Y15 // 1
	VXORPD Y14, Y14, Y14  // 0
	MOVQ $2, CX

half:
	// Which of the four weeks have a price, a relative, both weeks: as counts of
	// 1 and as masks in Y10, Y11, Y12.
	VMOVUPD 256(SI), Y0
	VMOVUPD 320(SI), Y1
	VMOVUPD 384(SI), Y2
	VCMPPD  $30, Y14, Y0, Y10 // Y0 > 0
	VCMPPD  $30, Y14, Y1, Y11
	VCMPPD  $30, Y14, Y2, Y12
	VANDPD  Y10, Y15, Y0
	VANDPD  Y11, Y15, Y1
	VANDPD  Y12, Y15, Y2
	VADDPD  448(DI), Y0, Y0
	VADDPD  512(DI), Y1, Y1
	VADDPD  576(DI), Y2, Y2
	VMOVUPD Y0, 448(DI)
	VMOVUPD Y1, 512(DI)
	VMOVUPD Y2, 576(DI)

	// Weights.
	VANDPD  Y11, Y13, Y0
	VANDPD  Y12, Y13, Y1
	VADDPD  320(DI), Y0, Y0
	VADDPD  384(DI), Y1, Y1
	VMOVUPD Y0, 320(DI)
	VMOVUPD Y1, 384(DI)

	// Weighted means.
	VMULPD  64(SI), Y13, Y0
	VMULPD  128(SI), Y13, Y1
	VMULPD  192(SI), Y13, Y2
	VADDPD  128(DI), Y0, Y0
	VADDPD  192(DI), Y1, Y1
	VADDPD  256(DI), Y2, Y2
	VMOVUPD Y0, 128(DI)
	VMOVUPD Y1, 192(DI)
	VMOVUPD Y2, 256(DI)

	// Exp of the mean log price, in Y7.
	VMOVUPD (SI), Y0
	VBROADCASTSD 8(R9), Y3
	VBROADCASTSD (R9), Y1
	VMULPD  Y0, Y1, Y1
	VADDPD  Y3, Y1, Y1 // shifted
	VSUBPD  Y3, Y1, Y2 // nearest
	VBROADCASTSD 16(R9), Y3
	VBROADCASTSD 24(R9), Y4
	VMULPD  Y3, Y2, Y3
	VMULPD  Y4, Y2, Y4
	VSUBPD  Y3, Y0, Y0
	VSUBPD  Y4, Y0, Y0 // r
	VPSLLQ  $56, Y1, Y5
	VPSRLQ  $56, Y5, Y5 // k & 255
	VPCMPEQQ Y6, Y6, Y6
	VGATHERQPD Y6, 56(R9)(Y5*8), Y7 // p
	VBROADCASTSD 32(R9), Y2
	VBROADCASTSD 40(R9), Y3
	VBROADCASTSD 48(R9), Y4
	VMULPD  Y0, Y2, Y2 // r/24
	VADDPD  Y2, Y3, Y2 // 1/6 + r/24
	VMULPD  Y0, Y2, Y2
	VADDPD  Y2, Y4, Y2 // 1/2 + ...
	VMULPD  Y0, Y0, Y3
	VMULPD  Y3, Y2, Y2
	VADDPD  Y0, Y2, Y2 // r + r*r*...
	VMULPD  Y7, Y2, Y2
	VADDPD  Y2, Y7, Y7
	VPSRLQ  $8, Y1, Y1
	VPSLLQ  $52, Y1, Y1
	VPADDQ  Y1, Y7, Y7

	// Prices.
	VANDPD  Y10, Y7, Y0
	VANDPD  (R8), Y10, Y1
	VADDPD  (DI), Y0, Y0
	VADDPD  64(DI), Y1, Y1
	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 64(DI)

	ADDQ $32, SI
	ADDQ $32, R8
	ADDQ $32, DI
	DECQ CX
	JNZ  half
	VZEROUPPER
	RET
