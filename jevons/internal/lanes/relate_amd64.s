//go:build !purego

#include "textflag.h"

// A band is two registers of four weeks. Sizes in bytes: Row 72, Band 64,
// Column 256, Sums 448 (four totals, three counts).

// func relateAVX2(to *Column, rows *Row, base *float64, n int, sums *Sums)
//
// Twice the same, for the first four weeks and the last.
TEXT ·relateAVX2(SB), NOSPLIT, $0-40
	MOVQ sums+32(FP), R9
	MOVQ $0x3ff0000000000000, AX
	VMOVQ AX, X15
	VBROADCASTSD X15, Y15 // 1
	VXORPD Y14, Y14, Y14  // 0
	XORQ BX, BX           // where the four weeks stand in a band

half:
	MOVQ to+0(FP), DX
	MOVQ rows+8(FP), SI
	MOVQ base+16(FP), R8
	MOVQ n+24(FP), CX
	VXORPD Y0, Y0, Y0 // totals: prices
	VXORPD Y1, Y1, Y1 // relatives
	VXORPD Y2, Y2, Y2 // earlier
	VXORPD Y3, Y3, Y3 // later
	VXORPD Y4, Y4, Y4 // counts: prices
	VXORPD Y5, Y5, Y5 // relatives
	VXORPD Y6, Y6, Y6 // earlier and later

row:
	VBROADCASTSD (R8), Y7
	VMOVUPD 8(SI)(BX*1), Y8 // the weeks
	VMOVUPD (SI)(BX*1), Y9  // each one's week before
	VMOVUPD Y8, (DX)(BX*1)
	VCMPPD  $7, Y8, Y8, Y10 // all ones where it is a number
	VANDPD  Y8, Y10, Y11
	VADDPD  Y11, Y0, Y0
	VANDPD  Y15, Y10, Y11
	VADDPD  Y11, Y4, Y4

	VSUBPD  Y7, Y8, Y8
	VSUBPD  Y7, Y9, Y9
	VMOVUPD Y8, 64(DX)(BX*1)
	VCMPPD  $7, Y8, Y8, Y10
	VANDPD  Y8, Y10, Y11
	VADDPD  Y11, Y1, Y1
	VANDPD  Y15, Y10, Y11
	VADDPD  Y11, Y5, Y5

	VMULPD  Y14, Y8, Y11 // 0, or NaN
	VADDPD  Y11, Y9, Y11
	VMULPD  Y14, Y9, Y12
	VADDPD  Y12, Y8, Y12
	VMOVUPD Y11, 128(DX)(BX*1)
	VMOVUPD Y12, 192(DX)(BX*1)
	VCMPPD  $7, Y11, Y11, Y10
	VANDPD  Y11, Y10, Y11
	VADDPD  Y11, Y2, Y2
	VANDPD  Y12, Y10, Y12
	VADDPD  Y12, Y3, Y3
	VANDPD  Y15, Y10, Y10
	VADDPD  Y10, Y6, Y6

	ADDQ $72, SI
	ADDQ $8, R8
	ADDQ $256, DX
	DECQ CX
	JNZ  row

	VMOVUPD Y0, (R9)(BX*1)
	VMOVUPD Y1, 64(R9)(BX*1)
	VMOVUPD Y2, 128(R9)(BX*1)
	VMOVUPD Y3, 192(R9)(BX*1)
	VMOVUPD Y4, 256(R9)(BX*1)
	VMOVUPD Y5, 320(R9)(BX*1)
	VMOVUPD Y6, 384(R9)(BX*1)
	ADDQ $32, BX
	CMPQ BX, $64
	JNE  half
	VZEROUPPER
	RET
